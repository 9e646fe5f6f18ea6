// Reading what a call's shell has written about itself. Any process of the command could write there, so a record
// is believed as a whole or not at all, and a state only if it has the secret of the shell, once.
//
// The format, lines of text:
//   bashward-session-2 NONCE          the nonce shows that it is this call's
//   SHELLOPTS BASHOPTS                of the fresh shell, then what `umask`, `declare -F` and `declare -p` printed in it
//   SECRET old VERSION                instead of the fresh shell: this bash cannot keep a session
//   NONCE undefined NAME              a function that could not be restored
//   NONCE ready                       the prologue has come to its end
//   SECRET lost                       the working directory could not be entered: the last line
//   SECRET early                      a state saved before the user's own EXIT trap; as the next one
//   SECRET state                      the saved state, which replaces an early one
//   SHELLOPTS BASHOPTS BASHOPTS       the last one after a call of shopt
//   SECRET umask                      what `umask` printed, then `enable -n`, `complete -p` and `hash -l`
//   SECRET functions, SECRET names    the names of all functions
//   SECRET texts                      if there are any: what `declare -f` printed
//   SECRET directory                  the logical path
//   SECRET physical                   the path, where the logical one is not valid any more; empty when it is gone
//   SECRET readonly, SECRET variables after an exit inside a function: `declare -pr`, and the names of all variables
//   SECRET definitions                what `alias -p` and `declare -p` printed
//   SECRET valueless                  after an exit inside a function: `declare -p` of variables without a value, the local
//                                     ones taken away
//   SECRET end

import { RecordFault, type Steps } from './reading.js'
import { type EarlierReading, readState, type SavedSections } from './saved-state.js'
import { type CallMarks, recordHeader } from './shell-code.js'
import type { ByteString, ShellState } from './state.js'

export type SessionRecord =
  /** Nothing at all: the shell has not sourced the prologue. */
  | { kind: 'unread' }
  /** The shell is a bash that is too old. The command has not run. */
  | { kind: 'old'; version: ByteString }
  /** The shell ended, or gave up restoring, before the command. */
  | { kind: 'unready' }
  /** The shell ended without saving: by `exec`, or with an EXIT trap set past the session. */
  | { kind: 'none' }
  /** The working directory could not be entered, and the command has not run. */
  | { kind: 'lost' }
  | {
      kind: 'saved'
      state: ShellState
      directory: ByteString | undefined
      /** What the state is without, though the shell has it: `function a=b`. */
      dropped: ByteString[]
    }

interface Section {
  name: string
  body: ByteString
}

/** Those of a saved state are a dozen, and of these there are one or two. */
const maxSections = 1000

/** The sections of one saved state, in their order. */
const savedSections =
  /^(?:early|state) umask functions (?:names (?:texts )?)?directory (?:physical )?(?:readonly variables definitions valueless|definitions) end $/

/**
 * @param before the state that the call began with: what a function has hidden as it ended the shell stays as it was
 * @param earlier what the reading of the last record has left here; this one leaves its own
 * @throws {RecordFault} when it is not what this call's shell writes
 */
export function* readRecord(
  record: ByteString,
  { nonce, secret }: CallMarks,
  before: ShellState,
  earlier: EarlierReading = {},
): Steps<SessionRecord> {
  const header = `${recordHeader(nonce)}\n`
  if (record === '') return { kind: 'unread' }
  if (!record.startsWith(header)) throw new RecordFault('it does not begin as the call began it')
  const behindHeader = record.slice(header.length - 1)
  const secretStart = behindHeader.indexOf(`\n${secret} `)
  const end = secretStart < 0 ? behindHeader.length : secretStart + 1
  const [fresh = '', ...sections] = split(behindHeader.slice(0, end), nonce)
  const [, ...secretSections] = split(behindHeader.slice(end - 1), secret)
  const [last] = secretSections
  if (secretSections.length === 1) {
    if (last?.name.startsWith('old ')) return { kind: 'old', version: last.name.slice('old '.length) }
    if (last?.name === 'lost') return { kind: 'lost' }
  }
  const undefinedNames = readUndefined(sections, before)
  const [first, ...others] = sections.slice(undefinedNames.length)
  if (first === undefined && last === undefined) return { kind: 'unready' }
  if (first?.name !== 'ready' || first.body !== '')
    throw new RecordFault('it does not say that the shell was ready')
  if (others.length > 0) throw new RecordFault('it has sections that the shell does not write')
  if (last === undefined) return { kind: 'none' }
  const saved = lastSaved(secretSections)
  const { state, dropped } = yield* readState({ fresh, saved, before, earlier })
  return {
    kind: 'saved',
    state,
    dropped: [...undefinedNames.map((name) => `function ${name}`), ...dropped],
    directory: readDirectory(saved),
  }
}

/** The names of functions that could not be restored: they stand before all else. */
function readUndefined(sections: Section[], before: ShellState): ByteString[] {
  const names: ByteString[] = []
  for (const { name } of sections) {
    if (!name.startsWith('undefined ')) break
    names.push(name.slice('undefined '.length))
  }
  if (!names.every((name) => before.functions.has(name)))
    throw new RecordFault('it names a function that the call did not begin with')
  return names
}

/** @param text begins with the end of a line */
function split(text: ByteString, callMark: string): [ByteString, ...Section[]] {
  const mark = `\n${callMark} `
  const sections: Section[] = []
  const first = text.indexOf(mark)
  for (let at = first; at >= 0; ) {
    const nameStart = at + mark.length
    const nameEnd = text.indexOf('\n', nameStart)
    if (nameEnd < 0) throw new RecordFault('it is cut off')
    at = text.indexOf(mark, nameEnd)
    const body = text.slice(nameEnd + 1, at < 0 ? text.length : at + 1)
    sections.push({ name: text.slice(nameStart, nameEnd), body })
    if (sections.length >= maxSections) throw new RecordFault('it has too many sections')
  }
  return [text.slice(1, first < 0 ? text.length : first + 1), ...sections]
}

function lastSaved(sections: Section[]): SavedSections {
  const starts = sections.flatMap(({ name }, index) => (name === 'early' || name === 'state' ? [index] : []))
  const order = starts.map((start) => sections[start]?.name).join(' ')
  if (!/^(?:early|state|early state)$/.test(order)) throw new RecordFault('it has more than one state')
  const groups = starts.map((start, index) => sections.slice(start, starts[index + 1]))
  const complete = groups.filter(
    (group) => savedSections.test(group.map(({ name }) => `${name} `).join('')) && group.at(-1)?.body === '',
  )
  const last = complete.at(-1)
  if (starts[0] !== 0 || last === undefined) throw new RecordFault('it is incomplete')
  return new Map(last.map(({ name, body }) => [name === 'early' ? 'state' : name, body]))
}

function readDirectory(saved: SavedSections): ByteString | undefined {
  const [physical, logical] = ['physical', 'directory'].map((name) => saved.get(name)?.replace(/\n$/, ''))
  // A directory that is gone has only its name left.
  return [physical, logical].find((path) => path?.startsWith('/'))
}
