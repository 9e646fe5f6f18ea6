// The text that bash sources before a session's command: it makes the shell what the last call has left.

import { quote } from '../bash-quotes.js'
import { bash } from './bash-text.js'
import type { ByteString } from './bytes.js'
import { exitTrap, prologueDescriptor, recordHeader, saveFunction, stateFile } from './shell-code.js'
import type { OptionChanges, ShellState } from './state.js'
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
    // A nested shell must not find it.
    'builtin unset -v BASH_ENV\n',
    `exec ${prologueDescriptor}<&-\n`,
    '{\n',
    describeFreshShell(nonce),
    enterDirectory(directory, nonce),
    restoreVariables(state),
    restoreFunctions(state),
    '} 2>&-\n',
    saveFunction(nonce),
    trapFunction,
    '__bashward=$BASHPID\n',
    `builtin trap -- ${quote(exitTrap)} EXIT\n`,
    // Bash reads a group as a whole, so the aliases have no part in it. Options come last: they change how the
    // rest would run. The last command leaves $_ and $? as they are when a shell starts.
    '{\n',
    ...state.aliases.values(),
    restoreOptions(state),
    'builtin : "$0"\n',
    '} 2>&-\n',
  ].join('')
}

// The record's beginning: the differences are found against it. Under a limit on file sizes, SIGXFSZ would kill.
function describeFreshShell(nonce: string): ByteString {
  return [
    "builtin trap '' XFSZ\n",
    `{ builtin printf '%s\\n' '${recordHeader(nonce)}' "$SHELLOPTS $BASHOPTS"; `,
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

function restoreVariables({ variables, unsetVariables }: ShellState): ByteString {
  const names = [...variables.keys(), ...unsetVariables]
  if (names.length === 0) return ''
  return `builtin unset -v ${names.join(' ')}\n${[...variables.values()].join('')}`
}

// The texts have been parsed under the options of their time. With extglob on, bash reads either kind.
function restoreFunctions({ functions, unsetFunctions, shopt }: ShellState): ByteString {
  const unset = [...unsetFunctions].map((name) => `builtin unset -f ${quote(name)}\n`).join('')
  if (functions.size === 0) return unset
  const resetExtglob = shopt.on.includes('extglob') ? '' : 'builtin shopt -u extglob\n'
  return `${unset}builtin shopt -s extglob\n${[...functions.values()].join('')}${resetExtglob}`
}

/** These change how the restoring itself would be read or run. */
const lastOptions = ['keyword', 'posix']

function restoreOptions({ shopt, set }: ShellState): ByteString {
  const rank = (name: string) => lastOptions.indexOf(name)
  const ordered = ({ on, off }: OptionChanges) =>
    [...off.map((name) => ({ name, sign: '+' })), ...on.map((name) => ({ name, sign: '-' }))].sort(
      (a, b) => rank(a.name) - rank(b.name),
    )
  return [
    ...shopt.off.map((name) => `builtin shopt -u ${name}\n`),
    ...shopt.on.map((name) => `builtin shopt -s ${name}\n`),
    ...ordered(set).map(({ name, sign }) => `builtin set ${sign}o ${name}\n`),
  ].join('')
}
