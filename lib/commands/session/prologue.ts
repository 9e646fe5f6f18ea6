// The text that bash sources before a session's command: it makes the shell what the last call has left.

import { quote } from '../../base/util/bash-quotes.js'
import { functionStatement } from './restore.js'
import {
  bash,
  type CallMarks,
  exitTrap,
  forEachCall,
  nonce,
  prologueDescriptor,
  recordHeader,
  saveFunction,
  secret,
  stateFile,
} from './shell-code.js'
import type { ByteString, OptionChanges, ShellState } from './state.js'
import { trapFunction } from './trap-function.js'

/**
 * Builds the prologue of one call. It prints nothing, runs no program, and leaves `$?` 0.
 *
 * @param state what the shell is to have
 * @param directory its working directory: absolute, as bytes
 * @param marks those that the record of this call carries
 */
export function buildPrologue(state: ShellState, directory: ByteString, marks: CallMarks): ByteString {
  const data = silently([
    ...unsetVariables(state),
    ...state.variables.values(),
    ...[...state.unsetFunctions].map((name) => `builtin unset -f ${quote(name)}\n`),
  ])
  const texts = [...restoreFunctions(state, marks), ...silently([...state.aliases.values()])]
  const settings = [restoreProcess(state), restoreOptions(state)] as const
  const isNew = [...data, ...texts, ...settings].every((text) => text === '')
  const endReading = texts.length === 0 ? endReadingAfterFile : endReadingTexts
  return [
    begin(marks),
    (isNew ? describeReadyShell : describeFreshShell)(marks),
    enterDirectory(directory, marks),
    texts.length === 0 ? prepareAfterFile : prepareToRead,
    ...data,
    ...texts,
    saveFunction(marks),
    trapFunction,
    '__bashward=$BASHPID\n',
    `builtin trap -- ${quote(exitTrap)} EXIT\n`,
    ...(isNew ? [endReading, likeNew] : finish(settings, endReading, marks)),
  ].join('')
}

/** $_ and $? are as when a shell starts. */
const likeNew = 'builtin : "$0"\n'

// In one group, which bash has read before anything of it changes how the rest would be read.
function finish(
  [process, options]: readonly [ByteString, ByteString],
  endReading: ByteString,
  marks: CallMarks,
): ByteString[] {
  return ['{\n', process, declareReady(marks), endReading, options, likeNew, '} 2>&-\n']
}

/** Bash 4.4: before it `local -` is not known, and `declare -p` prints arrays in another way. */
const oldestBash = '404'

const sourceUserFile = bash`
builtin export BASH_ENV="$__bashward_env"
builtin unset -v __bashward_env
builtin eval "__bashward=\"$BASH_ENV\"" 2>&-
[[ $__bashward == */* ]] || __bashward=./$__bashward
[[ ! -r $__bashward ]] || builtin . "$__bashward"
builtin unset -v __bashward
__bashward_file=`

// A nested shell must not find BASH_ENV, but for the one that the user has set: its file is part of a fresh shell.
const begin = forEachCall(bash`
builtin unset -v BASH_ENV
exec ${String(prologueDescriptor)}<&-
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < ${oldestBash})); then
builtin printf '%s\n' '${recordHeader(nonce)}' "${secret} old $BASH_VERSION" >|${stateFile}
builtin exit 1
fi
[[ -z \${__bashward_env-} ]] || builtin eval ${quote(sourceUserFile)}
`)

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
const describe = (ready: string) =>
  forEachCall(bash`
builtin trap '' XFSZ
{
builtin printf '%s\n' '${recordHeader(nonce)}' "$SHELLOPTS $BASHOPTS"
builtin umask
builtin declare -F
builtin declare -p
${ready}} 2>&- >|${stateFile}
builtin trap - XFSZ
`)
const describeFreshShell = describe('')
/** Where nothing is to be restored, the shell is as good as ready. */
const describeReadyShell = describe(`builtin printf '${nonce} ready\\n'\n`)

// The host has entered it already, by its path; $PWD is the logical one only after a cd. A name that is not UTF-8
// is entered only here. It must be the right directory or none: the command could be any.
function enterDirectory(directory: ByteString, marks: CallMarks): ByteString {
  const quoted = quote(directory)
  return `[[ $PWD = ${quoted} ]] || builtin eval ${quote(`__bashward=${quoted}\n${enter(marks)}`)}\n`
}

const enter = forEachCall(bash`
{
builtin cd -L -- "$__bashward" || { builtin printf '${secret} lost\n' >>${stateFile}; builtin exit 1; }
builtin unset -v OLDPWD __bashward
builtin export OLDPWD
} 2>&-
`)

// The texts have been parsed under the options of their time. With extglob on, bash reads either kind; an alias would
// be expanded in them once more.
const prepareToRead = bash`
__bashward_shopt=:$BASHOPTS:
builtin shopt -s extglob
builtin shopt -u expand_aliases
`

/** Both options as a fresh shell has them. */
const endReadingTexts = bash`
[[ $__bashward_shopt = *:extglob:* ]] || builtin shopt -u extglob
[[ $__bashward_shopt != *:expand_aliases:* ]] || builtin shopt -s expand_aliases
builtin unset -v __bashward_shopt __bashward_file
`

function unsetVariables({ variables, unsetVariables }: ShellState): ByteString[] {
  const names = [...variables.keys(), ...unsetVariables]
  return names.length === 0 ? [] : [`builtin unset -v ${names.join(' ')}\n`]
}

// Where the session has nothing to be read, aliases of the user's file could still change our own code.
const prepareAfterFile = `[[ ! -v __bashward_file ]] || builtin eval ${quote(prepareToRead)}\n`
const endReadingAfterFile = `[[ ! -v __bashward_shopt ]] || builtin eval ${quote(endReadingTexts)}\n`

/**
 * The record names a function that bash cannot read as it has printed it. Outside of a group bash reads one in five sixths
 * of the time, and of a text that it has read before, it has nothing to say; but of a here-document it may warn.
 */
function restoreFunctions({ functions }: ShellState, marks: CallMarks): ByteString[] {
  const proven: ByteString[] = []
  const others: ByteString[] = []
  for (const [name, definition] of functions) {
    const report = `builtin printf '%s\\n' ${quote(`${marks.nonce} undefined ${name}`)} >>${stateFile}`
    if (definition.isProven && !definition.text.includes('<<'))
      proven.push(functionStatement(name, definition, report))
    else if (definition.text !== '') others.push(functionStatement(name, definition, report))
    else others.push(`builtin declare -F -- ${quote(name)} >/dev/null || ${report}\n`)
  }
  return [...proven, ...silently(others)]
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
const declareReady = forEachCall(bash`
builtin trap '' XFSZ
builtin printf '${nonce} ready\n' >>${stateFile}
builtin trap - XFSZ
`)

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
