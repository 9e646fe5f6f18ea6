// What stands in the line that a shell is being given: what was typed since the last Enter, in however many pieces.

import { readsToEnd } from '../../guard/safety/check-command.js'

export interface TypedLine {
  text: string
  /** Whether that is all of it: keys that edit, complete or recall make it another. */
  isKnown: boolean
  /** Whether its beginning is forgotten. Of a line that keys have changed at least what was typed is there. */
  isCut?: true
  /** Lines before it that are part of the same command, which has no end yet; empty: there are none. */
  open: string
  /** Whether the shell may keep its line at C-c, as one does that was told to ignore that. */
  keepsAtInterrupt?: true
}

export const emptyLine: TypedLine = { text: '', isKnown: true, open: '' }

/** Characters of a command that are remembered, with the lines that it has begun in; of a longer one the beginning is not known. */
const maxLine = 64 * 1024

/** Commands by which C-c comes to mean something else. */
const changesInterrupt =
  /\b(?:trap\b[^;&|\n]*\b(?:(?:SIG)?INT|2)\b|stty\b[^;&|\n]*(?:isig|intr|brkint|raw|cooked|sane|pass8|[\da-f]+:)|bind\b)/i

/** What a terminal begins with whose shell is given that command. */
export const firstLine = (command: string): TypedLine =>
  changesInterrupt.test(command) ? { ...emptyLine, keepsAtInterrupt: true } : emptyLine

const submitting = new Set(['enter', 'c-m', 'c-j'])
/** A terminal that reads lines drops the line, and an editor of lines keeps it. */
const dropping = new Set(['c-\\', 'c-z'])
const harmless = new Set(['c-l'])
/** C-o is Enter, and brings the next line of the history. C-x C-e and chords with Meta may run the line, too. */
const mayRun = /^(?:c-o$|c-x$|(?:[cs]-)*m-)/

/**
 * @param text more lines than one count as one: they are pasted
 * @param completes whether a tab makes the program complete it
 */
export function afterText(line: TypedLine, text: string, completes: boolean): TypedLine {
  const after = { ...line, text: line.text + text }
  if (!isRemembered(after)) return { ...after, text: after.text.slice(-maxLine), isKnown: false, isCut: true }
  return { ...after, isKnown: line.isKnown && !(completes && text.includes('\t')) }
}

export interface AfterKey {
  line: TypedLine
  /** The line that the key has submitted. */
  submitted?: TypedLine
  /** A line that it may have: what the key does is the shell's choice. */
  doubtful?: TypedLine
}

export function afterKey(line: TypedLine, key: string): AfterKey {
  const name = key.toLowerCase()
  const unknown = { ...line, isKnown: false }
  if (submitting.has(name)) return { line: afterEnter(line), submitted: line }
  // In a line that is not empty it is given to a program that reads whole lines, and goes on being a part of the line.
  if (name === 'c-d') return isEmpty(line) ? { line } : { line, submitted: line }
  if (mayRun.test(name)) return { line: unknown, submitted: line }
  // What may be kept is judged with what follows, and not known where it was not.
  if (name === 'c-c') return { line: line.keepsAtInterrupt === true ? line : emptied(line) }
  if (dropping.has(name)) return { line: isEmpty(line) && line.open === '' ? line : unknown }
  if (harmless.has(name)) return { line }
  // Only what is before the cursor.
  if (name === 'c-u' && line.isKnown) return { line: { ...line, text: '' } }
  const character = name === 'space' ? ' ' : [...key].length === 1 ? key : undefined
  if (character !== undefined) {
    const after = afterText(line, character, false)
    return { line: after, doubtful: after }
  }
  // Of others more than one character may go.
  if ((name === 'bspace' || name === 'c-h') && line.isKnown && /^[\x20-\x7e]*$/.test(line.text)) {
    return { line: { ...line, text: line.text.slice(0, -1) } }
  }
  return { line: unknown }
}

const isEmpty = ({ text, isKnown }: TypedLine): boolean => text === '' && isKnown

/** Empty, and maybe behind lines that its command has begun in. */
export function afterEnter(line: TypedLine): TypedLine {
  const command = joined(line)
  const after = emptied(changesInterrupt.test(command) ? { ...line, keepsAtInterrupt: true } : line)
  return line.isKnown && goesOn(command) ? { ...after, open: command } : after
}

const emptied = ({ keepsAtInterrupt }: TypedLine): TypedLine =>
  keepsAtInterrupt === true ? { ...emptyLine, keepsAtInterrupt } : emptyLine

/** What a shell with an open command makes of a line. */
export const joined = ({ open, text }: TypedLine): string =>
  (open === '' ? text : `${open}\n${text}`).slice(-maxLine)

/** Whether the whole command is. */
const isRemembered = ({ open, text }: TypedLine): boolean => open.length + 1 + text.length <= maxLine

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

/**
 * Whether an interactive shell would make other words of it: `!!`, `!rm`, `^old^new`. Not in single quotes, nor where `!` is an
 * operator.
 */
export const recallsHistory = (text: string): boolean =>
  /^\^/m.test(text) || /(?<![\\[{$])![^\s=("';|&)]/.test(text.replaceAll(/'[^'\n]*'/g, "''"))
