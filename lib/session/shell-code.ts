// The bash code that takes part in each call of a session: it saves the state when the shell ends.
//
// Nothing the command does may break it. So every builtin is called through `builtin`, past functions; nothing is
// split, globbed, or read from elsewhere than the descriptor; words are quoted against aliases where bash reads the
// code late. And as a call pays 0.1 µs for each byte that bash parses as commands, but a third of that for a quoted
// string, what is rarely needed stands in quotes until it is.

import { quote } from '../bash-quotes.js'
import { bash } from './bash-text.js'

/** Where the shell finds the prologue: a descriptor that the host puts there. BASH_ENV names it. */
export const prologueDescriptor = 200

/** Where the shell finds the state file. It is opened anew for writing, so a read-only descriptor is enough. */
export const stateDescriptor = 201

export const stateFile = `/dev/fd/${stateDescriptor}`

/** The first line of a record. */
export function recordHeader(nonce: string): string {
  return `bashward-session-1 ${nonce}`
}

/** Stands for the nonce in code that is put together once. */
const nonce = '@NONCE@'

const callSave = '\\__bashward_save "$?" "$SHELLOPTS $BASHOPTS"'

/** The EXIT trap. The group sends away what a DEBUG trap or xtrace prints until the function has ended both. */
export const exitTrap = `{ ${callSave}; } >&- 2>&-`

// The user's code runs here and not in a function: it sees what it would see without a session. It may end the
// shell (`exit`, `set -e`), so the state is saved before it too; in a subshell, as saving takes the shell apart.
// In both branches $? is the exit status, and errexit is as the user has set it. All in one line: bash has read the
// end before it meets code that cannot be read.
export const userExitTrap = [
  `if ( ${callSave} ) >&- 2>&-`,
  'then \\builtin eval -- "$__bashward_EXIT"',
  'else \\builtin eval -- "$__bashward_EXIT"',
  'fi',
  exitTrap,
].join('; ')

// One by one: only the names, as bash itself lists them, tell where one function ends and the next begins. They are
// read back from the record, since the builtins can print only.
const saveFunctions = bash`
\builtin declare -F
\builtin mapfile -t __bashward <${stateFile}
__bashward_at=\${#__bashward[@]}
while ((--__bashward_at > 0)) && [[ \${__bashward[__bashward_at]} == 'declare -'* ]]; do
  \builtin printf '${nonce} function\n'
  \builtin declare -f -- "\${__bashward[__bashward_at]#declare -* }"
done
\builtin unset -v __bashward`

// `exit` in a function runs the trap with the local variables of that function and of its callers in sight. `unset`
// takes away the innermost variable of a name; once every global one is read-only it takes the local ones and stops.
const dropLocals = bash`
\builtin printf '${nonce} readonly\n'
\builtin declare -pr
\builtin printf '${nonce} names\n'
\builtin compgen -v
\builtin mapfile -t __bashward <${stateFile}
# With it, unset would hide a local variable and not remove it.
\builtin shopt -u localvar_unset
for __bashward_step in freeze drop; do
  __bashward_at=\${#__bashward[@]}
  while ((--__bashward_at > 0)) && [[ \${__bashward[__bashward_at]} != '${nonce} names' ]]; do
    __bashward_name=\${__bashward[__bashward_at]}
    if [[ $__bashward_name == @(_|BASH*|FUNCNAME|__bashward*) ]]; then
      \builtin continue
    elif [[ $__bashward_step == freeze ]]; then
      \builtin declare -gr "$__bashward_name"
      \builtin continue
    fi
    for ((__bashward_depth = \${#FUNCNAME[@]}; __bashward_depth > 0; __bashward_depth--)); do
      if [[ -R $__bashward_name ]]; then
        \builtin unset -n "$__bashward_name"
      else
        \builtin unset -v "$__bashward_name" || \builtin break
      fi
    done
  done
done
\builtin unset -v __bashward`

// The directory has been renamed, or is gone: then this prints nothing.
const savePhysicalDirectory = bash`
\builtin printf '${nonce} physical\n'
\builtin pwd -P`

const saveCode = bash`
__bashward_save() {
  POSIXLY_CORRECT=y
  unset -f builtin
  unset -v POSIXLY_CORRECT
  builtin trap '' DEBUG ERR RETURN XFSZ
  builtin set +euvxk
  builtin mapfile -tn1 __bashward <${stateFile}
  [[ $__bashward = '${recordHeader(nonce)}' ]] || builtin return "$1"
  builtin unset -f trap __bashward_save
  {
    builtin printf '%s\n' '${nonce} state' "$2" '${nonce} functions'
    ! builtin compgen -A function || builtin eval ${quote(saveFunctions)}
    builtin printf '${nonce} directory\n'
    builtin pwd -L
    [[ . -ef $PWD ]] || builtin eval ${quote(savePhysicalDirectory)}
    ((\${#FUNCNAME[@]} < 2)) || builtin eval ${quote(dropLocals)}
    builtin printf '${nonce} definitions\n'
    builtin alias -p
    builtin declare -p
    builtin printf '${nonce} end\n'
  } >>${stateFile}
  builtin return "$1"
}
`

/**
 * Defines `__bashward_save STATUS OPTIONS`, which writes the state and keeps the status.
 *
 * `unset` is safe from functions in POSIX mode, and an assignment, which nothing can intercept, switches that on.
 * The first line of the record shows that the descriptor is still the host's: a command that has put a file of its
 * own there must not lose it.
 */
export function saveFunction(callNonce: string): string {
  return saveCode.replaceAll(nonce, callNonce)
}
