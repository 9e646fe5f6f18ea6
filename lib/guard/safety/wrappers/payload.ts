// What a wrapper such as `sudo` or `bash -c` runs.

import type { Budget } from '../budget.js'
import type { Field } from '../expansion/field.js'
import { unknownText } from '../rule.js'
import type { Scope } from '../scope.js'
import type { ItemRange, Span } from '../script/script.js'

/** Text that may be read from somewhere, and where in the original command it stands. */
export interface InputText extends Span {
  texts: readonly string[]
}

/** A command that is to be unwrapped. */
export interface WrapperCall {
  /** The name and the arguments. */
  words: readonly [Field, ...Field[]]
  scope: Scope
  /** What the command may read from its standard input; undefined: not known. */
  input(): InputText | undefined
  /** What `<(…)` may give; undefined: not known. */
  outputOf(items: ItemRange): readonly string[] | undefined
  readonly budget: Budget
}

/** A command, or the text of a script. */
export type Payload = PayloadCommand | PayloadScript

export interface PayloadCommand {
  kind: 'command'
  words: readonly Field[]
  /** `NAME=VALUE` for its environment. */
  assignments?: readonly string[]
}

export interface PayloadScript extends Span {
  kind: 'script'
  /** What the text may be. */
  texts: readonly string[]
  /** `same`: what it changes stays, as with `eval`. `elsewhere`: on another machine, where nothing is known. */
  shell: 'same' | 'child' | 'elsewhere'
  /** `$0` and the positional parameters, if they are given. */
  parameters?: readonly string[]
  /** As with {@link Field.unset}: what is not known of the text. */
  unset?: readonly string[] | undefined
}

/** What a wrapper runs; nothing where it only prints its version, say. */
export type Unwrap = (call: WrapperCall) => readonly Payload[]

export function scriptOf(text: Field, shell: PayloadScript['shell'] = 'child'): PayloadScript {
  return { kind: 'script', texts: [text.text], shell, start: text.start, end: text.end, unset: text.unset }
}

/** The words joined with spaces, as `eval` and `ssh` do. */
export function joined(words: readonly Field[], shell: PayloadScript['shell'] = 'child'): readonly Payload[] {
  const [first] = words
  const last = words.at(-1)
  if (first === undefined || last === undefined) return []
  const text = words.map((word) => word.text).join(' ')
  return [{ kind: 'script', texts: [text], shell, start: first.start, end: last.end, unset: allUnset(words) }]
}

function allUnset(words: readonly Field[]): readonly string[] | undefined {
  const unknown = words.filter(({ text }) => text.includes(unknownText))
  return unknown.every(({ unset }) => unset !== undefined)
    ? unknown.flatMap(({ unset }) => unset ?? [])
    : undefined
}

/** A text with a value in each place; not known where the budget has no room for it. */
export function fillIn(text: string, place: string | RegExp, value: string, budget: Budget): string {
  const places = budget.text < text.length ? 0 : text.split(place).length - 1
  budget.text -= text.length + places * value.length
  return budget.text < 0 ? unknownText : text.replaceAll(place, () => value)
}

/** A shell that reads its commands from standard input. */
export function scriptFromInput(
  { input }: WrapperCall,
  shell: PayloadScript['shell'] = 'child',
): readonly Payload[] {
  const read = input()
  return read === undefined ? [] : [{ kind: 'script', shell, ...read }]
}
