// The text that bash sources before a session's command: it makes the shell what the last call has left.

import { quote } from '../util/bash-quotes.js'
import { functionStatement } from './restore.js'
import { bash, exitTrap, prologueDescriptor, recordHeader, saveFunction, stateFile } from './shell-code.js'
import type { ByteString, OptionChanges, ShellState } from './state.js'
import { trapFunction } from './trap-function.js'

/**
 * Builds the prologue of one call. It prints nothing, runs no program, and leaves `$?` 0.
 *
 * @param state what the shell is to have
 * @param directory its working directory: absolute, as bytes
 * @param nonce hexadecimal digits that nobody can foresee; the record of this call carries them
 */
export function buildPrologue(state: ShellState, directory: ByteString, nonce: string): ByteString {
  return [
    begin(nonce),
    ...silently([describeFreshShell(nonce), enterDirectory(directory, nonce)]),
    prepareToRead,
    ...silently([
      ...unsetVariables(state),
      ...state.variables.values(),
      ...[...state.unsetFunctions].map((name) => `builtin unset -f ${quote(name)}\n`),
      ...restoreFunctions(state, nonce),
      ...state.aliases.values(),
    ]),
    saveFunction(nonce),
    trapFunction,
    '__bashward=$BASHPID\n',
    `builtin trap -- ${quote(exitTrap)} EXIT\n`,
    // In one group, which bash has read before anything of it changes how the rest would be read. The last command
    // leaves $_ and $? as they are when a shell starts.
    '{\n',
    restoreProcess(state),
    declareReady(nonce),
    endReading,
    restoreOptions(state),
    'builtin : "$0"\n',
    '} 2>&-\n',
  ].join('')
}

/** Bash 4.4: before it `local -` is not known, and `declare -p` prints arrays in another way. */
const oldestBash = '404'

// A nested shell must not find BASH_ENV, but for the one that the user has set: its file is part of a fresh shell.
function begin(nonce: string): ByteString {
  return bash`
builtin unset -v BASH_ENV
exec ${String(prologueDescriptor)}<&-
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < ${oldestBash})); then
builtin printf '%s\n' '${recordHeader(nonce)}' "${nonce} old $BASH_VERSION" >|${stateFile}
builtin exit 1
fi
[[ -z \${__bashward_env-} ]] || builtin eval ${quote(sourceUserFile)}
`
}

const sourceUserFile = bash`
builtin export BASH_ENV="$__bashward_env"
builtin unset -v __bashward_env
builtin eval "__bashward=\"$BASH_ENV\"" 2>&-
[[ $__bashward == */* ]] || __bashward=./$__bashward
[[ ! -r $__bashward ]] || builtin . "$__bashward"
builtin unset -v __bashward`

// What bash reads in one group it holds and executes by recursion: thousands of statements would overflow its stack.
const statementsInGroup = 200

/** The statements, without what bash has to say about them. */
function silently(statements: ByteString[]): ByteString[] {
  const groups: ByteString[] = []
  for (let at = 0; at < statements.length; at += statementsInGroup) {
    groups.push('{\n', ...statements.slice(at, at + statementsInGroup), '} 2>&-\n')
  }
  return groups
}

// The record's beginning: the differences are found against it. Under a limit on file sizes, SIGXFSZ would kill.
function describeFreshShell(nonce: string): ByteString {
  return [
    "builtin trap '' XFSZ\n",
    `{ builtin printf '%s\\n' '${recordHeader(nonce)}' "$SHELLOPTS $BASHOPTS"; builtin umask; `,
    `builtin declare -F; builtin declare -p; } >|${stateFile}\n`,
    'builtin trap - XFSZ\n',
  ].join('')
}

// The host has entered it already, by its path; $PWD is the logical one only after a cd. A name that is not UTF-8
// is entered only here. It must be the right directory or none: the command could be any.
function enterDirectory(directory: ByteString, nonce: string): ByteString {
  const quoted = quote(directory)
  const enter = bash`
builtin cd -L -- ${quoted} || { builtin printf '${nonce} lost\n' >>${stateFile}; builtin exit 1; }
builtin unset -v OLDPWD
builtin export OLDPWD`
  return `[[ $PWD = ${quoted} ]] || builtin eval ${quote(enter)}\n`
}

// The texts have been parsed under the options of their time. With extglob on, bash reads either kind; an alias would
// be expanded in them once more.
const prepareToRead = bash`
__bashward_shopt=:$BASHOPTS:
builtin shopt -s extglob
builtin shopt -u expand_aliases
`

/** Both options as a fresh shell has them. */
const endReading = bash`
[[ $__bashward_shopt = *:extglob:* ]] || builtin shopt -u extglob
[[ $__bashward_shopt != *:expand_aliases:* ]] || builtin shopt -s expand_aliases
builtin unset -v __bashward_shopt
`

function unsetVariables({ variables, unsetVariables }: ShellState): ByteString[] {
  const names = [...variables.keys(), ...unsetVariables]
  return names.length === 0 ? [] : [`builtin unset -v ${names.join(' ')}\n`]
}

/** The record names a function that bash cannot read as it has printed it. */
function restoreFunctions({ functions }: ShellState, nonce: string): ByteString[] {
  return [...functions].map(([name, definition]) => {
    const report = `builtin printf '%s\\n' ${quote(`${nonce} undefined ${name}`)} >>${stateFile}`
    return functionStatement(name, definition, report)
  })
}

function restoreProcess({ umask, directories, positional }: ShellState): ByteString {
  const push = directories.toReversed().map((directory) => `builtin pushd -n ${quote(directory)}\n`)
  return [
    umask === undefined ? '' : `builtin umask ${umask}\n`,
    push.length === 0 ? '' : `{\n${push.join('')}} >/dev/null\n`,
    positional.length === 0 ? '' : `builtin set -- ${positional.map(quote).join(' ')}\n`,
  ].join('')
}

/** The host learns that a shell which ends now has come as far as the command. */
function declareReady(nonce: string): ByteString {
  return `builtin trap '' XFSZ\nbuiltin printf '${nonce} ready\\n' >>${stateFile}\nbuiltin trap - XFSZ\n`
}

/** These change how the restoring itself would be read or run. */
const lastOptions = ['keyword', 'posix']

function restoreOptions({ variables, shopt, set }: ShellState): ByteString {
  const rank = (name: string) => lastOptions.indexOf(name)
  const ordered = ({ on, off }: OptionChanges) =>
    [...off.map((name) => ({ name, sign: '+' })), ...on.map((name) => ({ name, sign: '-' }))].sort(
      (a, b) => rank(a.name) - rank(b.name),
    )
  return [
    // GLOBIGNORE has switched it on.
    variables.has('GLOBIGNORE') && !shopt.on.includes('dotglob') ? 'builtin shopt -u dotglob\n' : '',
    ...shopt.off.map((name) => `builtin shopt -u ${name}\n`),
    ...shopt.on.map((name) => `builtin shopt -s ${name}\n`),
    ...ordered(set).map(({ name, sign }) => `builtin set ${sign}o ${name}\n`),
  ].join('')
}
