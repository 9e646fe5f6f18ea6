// What stands in the line that a shell is being given: what was typed since the last Enter, in however many pieces.

import { readsToEnd } from '../../safety/check-command.js'

export interface TypedLine {
  text: string
  /** Whether that is all of it: keys that edit, complete or recall make it another. */
  isKnown: boolean
  /** Lines before it that are part of the same command, which has no end yet; empty: there are none. */
  open: string
}

export const emptyLine: TypedLine = { text: '', isKnown: true, open: '' }

/** Characters of lines that are remembered. */
const maxLine = 64 * 1024

const submitting = new Set(['enter', 'c-m', 'c-j', 'c-o'])
/** They end the line, or leave it. */
const dropping = new Set(['c-c', 'c-\\', 'c-z'])
const harmless = new Set(['c-l'])

/**
 * @param text more lines than one count as one: they are pasted
 * @param completes whether a tab makes the program complete it
 */
export function afterText(line: TypedLine, text: string, completes: boolean): TypedLine {
  const isKnown = line.isKnown && !(completes && text.includes('\t') && !text.includes('\n'))
  return { ...line, text: (line.text + text).slice(-maxLine), isKnown }
}

/** @returns the line as it is after the key, and the one that the key has submitted */
export function afterKey(line: TypedLine, key: string): { line: TypedLine; submitted?: TypedLine } {
  const name = key.toLowerCase()
  if (submitting.has(name)) return { line: afterEnter(line), submitted: line }
  // In a line that is not empty it is given to a program that reads whole lines.
  if (name === 'c-d') return isEmpty(line) ? { line } : { line: afterEnter(line), submitted: line }
  if (dropping.has(name)) return { line: emptyLine }
  if (harmless.has(name)) return { line }
  if (name === 'c-u') return { line: { ...line, text: '', isKnown: true } }
  if (name === 'space') return { line: afterText(line, ' ', false) }
  if ([...key].length === 1) return { line: afterText(line, key, false) }
  if ((name === 'bspace' || name === 'c-h') && line.isKnown) {
    return { line: { ...line, text: [...line.text].slice(0, -1).join('') } }
  }
  return { line: { ...line, isKnown: false } }
}

const isEmpty = ({ text, isKnown }: TypedLine): boolean => text === '' && isKnown

/** Empty, and maybe behind lines that its command has begun in. */
export function afterEnter(line: TypedLine): TypedLine {
  const command = joined(line)
  return line.isKnown && goesOn(command) ? { ...emptyLine, open: command } : emptyLine
}

/** What a shell with an open command makes of a line. */
export const joined = ({ open, text }: TypedLine): string =>
  (open === '' ? text : `${open}\n${text}`).slice(-maxLine)

const hereDocument = /<<-?[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([\w.-]+))/g

/** Whether a command goes on in the next line. */
function goesOn(command: string): boolean {
  return endsInBackslash.test(command) || hasOpenDocument(command) || !readsToEnd(command)
}

const endsInBackslash = /(?:^|[^\\])(?:\\\\)*\\$/

function hasOpenDocument(command: string): boolean {
  for (const match of command.matchAll(hereDocument)) {
    const end = match[1] ?? match[2] ?? match[3]
    const rest = command.slice(match.index).split('\n').slice(1)
    if (!rest.some((each) => each.replace(/^\t+/, '') === end)) return true
  }
  return false
}
