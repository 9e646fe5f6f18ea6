// The bash code that takes part in each call of a session: it saves the state when the shell ends.
//
// Nothing the command does may break it. So every builtin is called through `builtin`, past functions; nothing is
// split, globbed, or read from elsewhere than the descriptor; words are quoted against aliases where bash reads the
// code late. And as a call pays 0.1 µs for each byte that bash parses as commands, but a third of that for a quoted
// string, what is rarely needed stands in quotes until it is.

import { readFileSync } from 'node:fs'
import { quote } from '../../base/util/bash-quotes.js'

/** The limit on open files that our children begin with. Infinity where it is not known. */
function openFileLimit(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/**
 * Where the shell finds its prologue; BASH_ENV names it. High, out of the way of a command's own redirections, and below the limit: two
 * more stay free there, since Node first copies what it gives to a child above the highest of the child's numbers.
 */
export const prologueDescriptor = Math.min(200, openFileLimit() - 4)

/** At the next descriptor. It is opened anew for writing, so a read-only descriptor is enough. */
export const stateFile = `/dev/fd/${prologueDescriptor + 1}`

/**
 * Bash code, written as bash reads it but for `\${` where `${` is meant for bash. Indentation, empty lines and whole
 * lines of comment are left out: bash would parse them in each call.
 */
export function bash(template: TemplateStringsArray, ...values: string[]): string {
  const code = String.raw({ raw: template.raw.map(compact) }, ...values)
  return code.replace(/^\n/, '')
}

function compact(part: string): string {
  return part
    .replace(/\n\s*(?:#.*)?(?=\n)/g, '')
    .replace(/\n\s+/g, '\n')
    .replaceAll('\\${', '${')
}

/** The first line of a record. */
export function recordHeader(nonce: string): string {
  return `bashward-session-2 ${nonce}`
}

/** Where positional parameters are carried to the host. */
export const argumentsVariable = '__bashward_arguments'

/** What tells the lines of one call's record from all others: 24 hexadecimal digits each, which nobody can foresee. */
export interface CallMarks {
  /** Of what the shell says before the command runs. Whatever the command starts can read it in the record. */
  nonce: string
  /**
   * Of what it says in the end. Until then it is in the memory of the shell alone, so that other processes of the command
   * cannot write a state in its place.
   */
  secret: string
}

/** Stand for those of the call in code that is put together once. */
export const nonce = '@NONCE@'
export const secret = '@SECRET@'

/** Code that is put together once, with the marks of each call. */
export function forEachCall(code: string): (marks: CallMarks) => string {
  const parts = code.split(nonce).map((part) => part.split(secret))
  return (marks) => parts.map((part) => part.join(marks.secret)).join(marks.nonce)
}

// Where `set -e` ends a function that has an IFS of its own, bash 5.2 frees that IFS and goes on using it: `"$@"` would
// crash. A function that returns makes bash look for IFS anew.
const begin = '__bashward_status=$?; \\__bashward_begin'
const callSave = (section: 'early' | 'state') =>
  `\\__bashward_save ${section} "$__bashward_status" "$SHELLOPTS $BASHOPTS" "$@"`

/** The EXIT trap. The group sends away what a DEBUG trap or xtrace prints until the function has ended both. */
export const exitTrap = `{ ${begin}; ${callSave('state')}; } >&- 2>&-`

// The user's code runs here and not in a function: it sees what it would see without a session. It may end the
// shell (`exit`, `set -e`), so the state is saved before it too; in a subshell, as saving takes the shell apart.
// In both branches $? is the exit status, and errexit is as the user has set it. All in one line: bash has read the
// end before it meets code that cannot be read.
export const userExitTrap = [
  `if ( ${begin}; ${callSave('early')} ) >&- 2>&-`,
  'then \\builtin eval -- "$__bashward_EXIT"',
  'else \\builtin eval -- "$__bashward_EXIT"',
  'fi',
  exitTrap,
].join('; ')

// `exit` in a function runs the trap with the local variables of that function and of its callers in sight. `unset`
// takes away the innermost variable of a name; once every global one is read-only it takes the local ones and stops.
// `declare -g` goes through a global reference to its target. So references are found in a subshell first: there they
// are not read-only, and are gone in the end.
// What was read-only before is printed, and its global variable gets the attribute `t`, which has no effect: where a
// read-only local one hides it, that does not show.
const dropLocals = bash`
__bashward_freeze() {
  for ((__bashward_at = 0; __bashward_at < \${#__bashward_names[@]}; __bashward_at++)); do
    __bashward_name=\${__bashward_names[__bashward_at]}
    if [[ $__bashward_references == *" $__bashward_name "* ]]; then
      \builtin declare -gnr "$__bashward_name"
    else
      \builtin declare -gr "$__bashward_name"
    fi
  done
  for ((__bashward_at = 0; __bashward_at < \${#__bashward_names[@]}; __bashward_at++)); do
    __bashward_name=\${__bashward_names[__bashward_at]}
    for ((__bashward_depth = \${#FUNCNAME[@]}; __bashward_depth > 0; __bashward_depth--)); do
      if [[ -R $__bashward_name ]]; then
        \builtin unset -n "$__bashward_name" || \builtin break
      else
        \builtin unset -v "$__bashward_name" || \builtin break
      fi
    done
  done
}
__bashward_drop() {
  __bashward_references=' '
  __bashward_references=" $(
    __bashward_freeze
    while ((__bashward_at-- > 0)); do
      __bashward_name=\${__bashward_names[__bashward_at]}
      \builtin declare -p "$__bashward_name" >&3 || \builtin printf '%s ' "$__bashward_name"
    done 3>/dev/null
  )"
  __bashward_freeze
}
__bashward_select() {
  \builtin mapfile -t __bashward <${stateFile}
  __bashward_names=()
  for ((__bashward_at = \${#__bashward[@]}; --__bashward_at > 0;)); do
    __bashward_name=\${__bashward[__bashward_at]}
    [[ $__bashward_name != "${secret} $1" ]] || \builtin break
    [[ $__bashward_name == $2 ]] || \builtin continue
    __bashward_name=\${__bashward_name##* }
    [[ $__bashward_name == *[!A-Za-z0-9_]* || $__bashward_name == @(|_|BASH|BASH_*|BASHOPTS|BASHPID|FUNCNAME|__bashward*) ]] ||
      __bashward_names+=("$__bashward_name")
  done
}
\builtin printf '${secret} readonly\n'
\builtin declare -pr
\builtin printf '${secret} variables\n'
\builtin compgen -v
# With it, unset would hide a local variable and not remove it.
\builtin shopt -u localvar_unset
__bashward_select variables '*'
__bashward_end=$__bashward_at
__bashward_drop
__bashward_at=$__bashward_end
# The lines of a value may look like a declaration: then another variable gets the attribute, too.
while ((--__bashward_at > 0)) && [[ \${__bashward[__bashward_at]} != '${secret} readonly' ]]; do
  if [[ \${__bashward[__bashward_at]} == 'declare -'* ]]; then
    __bashward_name=\${__bashward[__bashward_at]#declare -* }
    __bashward_name=\${__bashward_name%%=*}
    [[ $__bashward_name == @(BASH|BASH_*|BASHOPTS|BASHPID|EUID|PPID|SHELLOPTS|UID) || -R $__bashward_name ]] || \builtin declare -gt "$__bashward_name"
  fi
done
\builtin unset -v __bashward`

// `compgen` does not list variables without a value. What such a global one is shows once the local ones are gone.
const printValueless = bash`
__bashward_select definitions 'declare -+([-a-zA-Z]) +([A-Za-z0-9_])'
\builtin printf '${secret} valueless\n'
if ((\${#__bashward_names[@]})); then
  __bashward_drop
  while ((__bashward_at-- > 0)); do
    \builtin declare -p "\${__bashward_names[__bashward_at]}"
  done
fi`

// The directory has been renamed, or is gone: then this prints nothing.
const savePhysicalDirectory = bash`
\builtin printf '${secret} physical\n'
\builtin pwd -P`

// bash before 5.2 ends with 0 when it could not execute a program and an EXIT trap is set; `exit` in the trap mends
// that. BASH_COMMAND has the words of a command before its redirections: without words nothing was to be executed. (In bash 4.4 a
// `[[` in the trap changes it.)
const mendStatus = bash`
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 502)); then
  __bashward=\${__bashward_command#command }
  __bashward=\${__bashward#builtin }
  __bashward=\${__bashward#\\\\}
  if [[ $__bashward == 'exec '* && $__bashward != 'exec '@(*([0-9])|'{'+([a-zA-Z0-9_])'}'|'&')[\<\>]* ]]; then
    __bashward=\${__bashward#exec }
    __bashward=\${__bashward%% *}
    [[ $__bashward == */* && -e $__bashward ]] && \builtin exit 126
    \builtin exit 127
  fi
fi`

const saveCode = bash`
__bashward_begin() { __bashward_command=$BASH_COMMAND; }
__bashward_save() {
  POSIXLY_CORRECT=y
  unset -f builtin
  unset -v POSIXLY_CORRECT
  builtin trap '' DEBUG ERR RETURN XFSZ
  builtin set +euvxk
  builtin shopt -u expand_aliases
  builtin mapfile -tn1 __bashward <${stateFile}
  [[ $__bashward = '${recordHeader(nonce)}' ]] || builtin return "$2"
  builtin unset -f trap __bashward_save __bashward_begin
  {
    builtin printf '%s\n' "${secret} $1" "$3 $BASHOPTS" '${secret} umask'
    builtin umask
    builtin enable -n
    builtin complete -p
    builtin hash -l
    builtin printf '${secret} functions\n${secret} names\n'
    # Each list of functions takes bash a time that grows with the square of their number.
    ! builtin compgen -A function || {
      builtin printf '${secret} texts\n'
      builtin declare -f
    }
    builtin unset -v __bashward
    builtin printf '${secret} directory\n'
    builtin pwd -L
    [[ . -ef $PWD ]] || builtin eval ${quote(savePhysicalDirectory)}
    if ((\${#FUNCNAME[@]} > 1)); then
      builtin eval ${quote(dropLocals)}
    elif (($# > 3)); then
      ${argumentsVariable}=("\${@:4}")
    fi
    builtin printf '${secret} definitions\n'
    builtin alias -p
    ((\${#DIRSTACK[@]} < 2)) || builtin declare -p DIRSTACK
    builtin declare -p
    ((\${#FUNCNAME[@]} < 2)) || builtin eval ${quote(printValueless)}
    builtin printf '${secret} end\n'
  } >>${stateFile}
  [[ $__bashward_command != *exec* ]] || builtin eval ${quote(mendStatus)}
  builtin return "$2"
}
`

/**
 * Defines `__bashward_save SECTION STATUS OPTIONS [PARAMETER]...`, which writes the state and keeps the status. SECTION
 * is `state`; or `early` where the user's own EXIT trap runs next, and may end the shell.
 *
 * `unset` is safe from functions in POSIX mode, and an assignment, which nothing can intercept, switches that on.
 * The first line of the record shows that the descriptor is still the host's: a command that has put a file of its
 * own there must not lose it.
 */
export const saveFunction = forEachCall(saveCode)
