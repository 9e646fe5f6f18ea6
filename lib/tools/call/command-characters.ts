// Characters of a command that nobody sees, and bash takes for something else than whoever wrote them: CRLF at the ends of
// lines, a byte order mark, spaces that are none. Loaded for a command that has one of them.

import type { BashResult } from '../../commands/run/result.js'
import type { Span } from '../../guard/safety/script/script.js'
import type { Match } from '../../guard/safety/verdict.js'

/** What runs in the place of a command. */
export interface ReadCommand {
  text: string
  /** What was changed, for the model. */
  notes: string[]
  /** Where the characters that were left out would be in `text`, ascending. */
  left: number[]
}

const byteOrderMark = '\ufeff'

/** @returns undefined for a command that is run as it is */
export function readCommand(command: string): ReadCommand | undefined {
  const begins = command.startsWith(byteOrderMark) ? 1 : 0
  const returns = carriageReturns(command.slice(begins)).map((at) => at + begins)
  if (begins + returns.length === 0) return undefined
  const removed = begins === 1 ? [0, ...returns] : returns
  let text = ''
  let from = 0
  for (const at of removed) {
    text += command.slice(from, at)
    from = at + 1
  }
  const mark = begins === 1 ? ['the byte order mark at its beginning was left out'] : []
  const ends = returns.length > 0 ? ['its lines end with CRLF, which was taken for LF'] : []
  const notes = [`of the command, ${[...mark, ...ends].join('; ')}`]
  return { text: text + command.slice(from), notes, left: removed.map((at, index) => at - index) }
}

/** Those at the ends of lines, if all lines of the syntax end so; with here-documents it is not known what they are for. */
function carriageReturns(command: string): number[] {
  if (!command.includes('\r\n')) return []
  const { spans, isWhole } = syntaxOf(command)
  const found: number[] = []
  for (const { start, end } of spans) {
    for (let at = command.indexOf('\n', start); at !== -1 && at < end; at = command.indexOf('\n', at + 1)) {
      if (command[at - 1] !== '\r') return []
      found.push(at - 1)
    }
  }
  return isWhole ? found : []
}

/** Puts the command as it was given into the result, with what was changed of it. */
export function tellGiven(result: BashResult, command: string, read: ReadCommand): void {
  const { rejection, judgement } = result
  result.command = command
  result.commandNotes = [...read.notes, ...(result.commandNotes ?? [])]
  const found = [...(rejection === undefined ? [] : [rejection]), ...(judgement?.reasons ?? [])]
  placeInGiven(found, command, read)
}

/** Moves what was found in what runs to where it stands in the command as it was given. */
export function placeInGiven(
  found: readonly { match: Match }[],
  command: string,
  { left }: ReadCommand,
): void {
  const given = (offset: number) => offset + left.filter((at) => at <= offset).length
  for (const match of new Set(found.map(({ match }) => match))) {
    const end = given(match.end - 1) + 1
    Object.assign(match, { start: given(match.start), end })
    match.text = command.slice(match.start, match.end)
  }
}

/** Characters that look like a space, or like nothing, and are part of a word to bash. */
const names: readonly [from: number, to: number, name: string][] = [
  [0x0d, 0x0d, 'carriage return'],
  [0x85, 0x85, 'next line'],
  [0xa0, 0xa0, 'no-break space'],
  [0xad, 0xad, 'soft hyphen'],
  [0x1680, 0x1680, 'space of another kind'],
  [0x2000, 0x200a, 'space of another kind'],
  [0x200b, 0x200b, 'zero-width space'],
  [0x200c, 0x200c, 'zero-width non-joiner'],
  [0x200d, 0x200d, 'zero-width joiner'],
  [0x200e, 0x200f, 'direction mark'],
  [0x2028, 0x2028, 'line separator'],
  [0x2029, 0x2029, 'paragraph separator'],
  [0x202a, 0x202e, 'direction mark'],
  [0x202f, 0x202f, 'narrow no-break space'],
  [0x205f, 0x205f, 'space of another kind'],
  [0x2060, 0x2060, 'word joiner'],
  [0x2061, 0x2069, 'character that nobody sees'],
  [0x3000, 0x3000, 'ideographic space'],
  [0xfeff, 0xfeff, 'byte order mark'],
]

/** How many are named. */
const maxNamed = 3

/** Of a command that has failed: names those outside of quotes and comments, and where they stand. */
export function tellUnseen(result: BashResult, ran: string): void {
  const found: string[] = []
  let more = 0
  for (const { start, end } of syntaxOf(ran).spans) {
    for (let at = start; at < end; at++) {
      const code = ran.charCodeAt(at)
      const [, , name] = names.find(([from, to]) => from <= code && code <= to) ?? []
      // At the end of a line it may well be meant.
      if (name === undefined || (code === 0x0d && ran[at + 1] === '\n' && found.length > 0)) continue
      if (found.length < maxNamed)
        found.push(`${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name} (U+${hex(code)}) in ${placeOf(ran, at)}`)
      else more++
    }
  }
  if (found.length === 0) return
  const others = more === 0 ? '' : `, and ${more} more`
  result.commandNotes = [...(result.commandNotes ?? []), `the command has ${found.join(', ')}${others}`]
}

const hex = (code: number): string => code.toString(16).toUpperCase().padStart(4, '0')

/** Counted from 1, in characters. */
function placeOf(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n')
  return `line ${lines.length}, column ${[...(lines.at(-1) ?? '')].length + 1}`
}

interface Syntax {
  /** What stands outside of quotes and comments, up to the first here-document. */
  spans: Span[]
  /** Whether that is all: there is no here-document, and each quote has its end. */
  isWhole: boolean
}

const beginsWord = /[\s;&|()`]/

function syntaxOf(text: string): Syntax {
  const spans: Span[] = []
  /** `"` and `(` that are open. */
  const open: string[] = []
  let start = 0
  let at = 0
  /** What follows, up to `end`, is no syntax. */
  const skipTo = (end: number) => {
    if (open.at(-1) !== '"') spans.push({ start, end: at })
    start = end
    at = end
  }
  while (at < text.length) {
    const character = text[at]
    if (character === '\\') skipTo(text.startsWith('\\\r\n', at) ? at + 1 : Math.min(at + 2, text.length))
    else if (open.at(-1) === '"') {
      if (character === '"') {
        open.pop()
        start = ++at
      } else if (text.startsWith('$(', at)) {
        open.push('(')
        start = at += 2
      } else at++
    } else if (character === "'") {
      const end = text[at - 1] === '$' ? endOfAnsiC(text, at + 1) : text.indexOf("'", at + 1)
      if (end === -1) return { spans, isWhole: false }
      skipTo(end + 1)
    } else if (character === '"') {
      skipTo(at + 1)
      open.push('"')
    } else if (character === '#' && (at === 0 || beginsWord.test(text[at - 1] ?? ''))) {
      const [line = ''] = /[^\n]*?(?=\r?\n|$)/.exec(text.slice(at)) ?? []
      skipTo(at + line.length)
    } else if (text.startsWith('<<<', at)) at += 3
    else if (text.startsWith('<<', at)) {
      spans.push({ start, end: at })
      return { spans, isWhole: false }
    } else {
      if (character === '(') open.push('(')
      else if (character === ')' && open.at(-1) === '(') open.pop()
      if (character === ')' && open.at(-1) === '"') {
        // The end of a `$(…)` in double quotes.
        spans.push({ start, end: at })
        start = at + 1
      }
      at++
    }
  }
  if (open.at(-1) !== '"') spans.push({ start, end: at })
  return { spans, isWhole: open.length === 0 }
}

function endOfAnsiC(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === "'") return at
  }
  return -1
}
