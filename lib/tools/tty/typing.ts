// What a call types, and what a shell is given by it.

import { afterEnter, afterKey, afterText, type TypedLine } from './line.js'

export interface Typing {
  /** Empty where keys are pressed. */
  text: string
  /** Whether Enter follows the text. */
  submit: boolean
  /** Empty where text is typed. */
  keys: readonly string[]
}

export interface Typed {
  /** What a shell would be given, one after the other. */
  submitted: TypedLine[]
  /** What it may be given by what keys do in it: it has to be as harmless. */
  doubtful: TypedLine[]
  /** What stands in its line then. */
  line: TypedLine
}

interface Modes {
  cooked: boolean
  bracketedPaste: boolean
}

export function typed(line: TypedLine, typing: Typing, modes: Modes): Typed {
  return typing.keys.length > 0 ? pressed(line, typing.keys) : written(line, typing, modes)
}

/** Several lines are one script, whether they are pasted or not. */
function written(
  line: TypedLine,
  { text, submit }: Pick<Typing, 'text' | 'submit'>,
  { cooked, bracketedPaste }: Modes,
): Typed {
  // In a marked paste a tab is a tab.
  const isPaste = bracketedPaste && text.includes('\n')
  const after = afterText(line, text, !cooked && !isPaste)
  if (submit) return { submitted: [after], doubtful: [], line: afterEnter(after) }
  // A paste that is marked as such is given to the shell by the Enter behind it.
  const end = cooked || !bracketedPaste ? after.text.lastIndexOf('\n') : -1
  if (end < 0) return { submitted: [], doubtful: [after], line: after }
  const given = { ...after, text: after.text.slice(0, end) }
  const rest = { ...afterEnter(given), text: after.text.slice(end + 1) }
  return { submitted: [given], doubtful: [rest], line: rest }
}

function pressed(line: TypedLine, keys: readonly string[]): Typed {
  const all: Typed = { submitted: [], doubtful: [], line }
  for (const key of keys) {
    const { line: next, submitted, doubtful } = afterKey(all.line, key)
    if (submitted !== undefined) all.submitted.push(submitted)
    if (doubtful !== undefined) all.doubtful.push(doubtful)
    all.line = next
  }
  return all
}

/** Keys that end a program, or its input: nobody has to be asked. */
const freeKeys = new Set(['c-c', 'c-d'])

export const areFree = ({ keys }: Typing): boolean =>
  keys.length > 0 && keys.every((key) => freeKeys.has(key.toLowerCase()))

/** Whether it has characters that a program would take for a part of an answer. */
export const hasText = ({ text, submit, keys }: Typing): boolean =>
  keys.length > 0
    ? keys.some((key) => [...key].length === 1 || /^(?:space|m-.|enter|c-[mj])$/iu.test(key))
    : text !== '' || submit
