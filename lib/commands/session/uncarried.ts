// What a shell was left with and the next one does not get, though a command may have meant it for the calls after it: it
// is named.

import { type Declaration, readSingleQuoted } from './printed.js'
import { RecordFault } from './reading.js'
import type { ByteString } from './state.js'

/**
 * Options that end or mute a command that the next call knows nothing about: with `pipefail`, `… | head -1` fails.
 * `privileged` belongs to the process.
 */
export const neverCarriedSet = [
  'errexit',
  'nounset',
  'pipefail',
  'verbose',
  'xtrace',
  'noexec',
  'onecmd',
  'privileged',
]

export interface LeftBehind {
  /** What `enable -n`, `complete -p` and `hash -l` printed. */
  builtinText: ByteString
  /** Options of `set` that a fresh shell does not have. */
  set: readonly string[]
  /** What differs from a fresh shell. */
  variables: ReadonlyMap<ByteString, Declaration>
  fresh: ReadonlyMap<ByteString, Declaration>
}

/**
 * The names of it, for people.
 *
 * @throws {RecordFault} when the text is not what bash prints
 */
export function uncarried({ builtinText, set, variables, fresh }: LeftBehind): string[] {
  const commands = readCommands(builtinText)
  const path = (variables.get('PATH') ?? fresh.get('PATH'))?.word
  return [
    // Alone, the first two are common, and mean their own call.
    ...(set.includes('pipefail')
      ? options.filter(([name]) => set.includes(name)).map(([, text]) => text)
      : []),
    ...(commands.some((line) => line.startsWith('enable ')) ? ['enable -n'] : []),
    ...(commands.some((line) => line.startsWith('complete ')) ? ['complete'] : []),
    ...(hasChosenPath(commands, path) ? ['hash -p'] : []),
    ...(hasOtherVersion(variables, fresh) ? ['BASH_COMPAT'] : []),
  ]
}

const options: [name: string, text: string][] = [
  ['errexit', 'set -e'],
  ['nounset', 'set -u'],
  ['pipefail', 'set -o pipefail'],
]

/** Whether bash is to find a program where it would not have found it by PATH. */
function hasChosenPath(commands: ByteString[], path: ByteString | undefined): boolean {
  if (path === undefined || !/^"[^~\\]*"$/.test(path)) return false
  const directories = new Set(
    path
      .slice(1, -1)
      .split(':')
      .map((directory) => directory.replace(/\/+$/, '')),
  )
  if (directories.has('')) directories.add('.')
  return commands.some((line) => {
    const [, directory = '', file, name] = hashedPath.exec(line) ?? []
    return name !== undefined && (file !== name || !directories.has(directory.replace(/\/+$/, '')))
  })
}

const hashedPath = /^builtin hash -p ([\w./+-]+)\/([\w.+-]+) ([\w.+-]+)$/

/** The last one is what bash says of an empty table. */
const printedCommand = /^(?:enable -n \S+$|complete |builtin hash -p |hash: )/

function readCommands(text: ByteString): ByteString[] {
  const commands: ByteString[] = []
  for (let at = 0; at < text.length; ) {
    const end = endOfCommand(text, at)
    commands.push(text.slice(at, end))
    at = end + 1
  }
  if (!commands.every((line) => printedCommand.test(line)))
    throw new RecordFault('a command is not as bash prints it')
  return commands
}

/** The end of its last line: the words of `complete` are quoted, and may have several. */
function endOfCommand(text: ByteString, start: number): number {
  const isQuoted = text.startsWith('complete ', start)
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '\n') return at
    if (!isQuoted) continue
    if (character === '\\') at += 1
    else if (character === "'") at = readSingleQuoted(text, at).end - 1
  }
  throw new RecordFault('a command does not end with its line')
}

/** `shopt -u` of an old version sets BASH_COMPAT to that of the shell. */
function hasOtherVersion(variables: LeftBehind['variables'], fresh: LeftBehind['fresh']): boolean {
  const word = variables.get('BASH_COMPAT')?.word
  const [, major, minor] = /^\(\[0\]="(\d+)" \[1\]="(\d+)"/.exec(fresh.get('BASH_VERSINFO')?.word ?? '') ?? []
  return word !== undefined && word !== '""' && word.replace('.', '') !== `"${major}${minor}"`
}
