// Commands that run another one with what they read or find: xargs, parallel, find.

import { quote } from '../../../base/util/bash-quotes.js'
import type { Budget } from '../budget.js'
import { type Field, literalField, type Origin } from '../expansion/field.js'
import { readOptions } from '../option-words.js'
import { unknownText } from '../rule.js'
import { readFind } from './find-expression.js'
import { fillIn, type InputText, type Payload, type Unwrap } from './payload.js'

/** Where each item is a command of its own, further ones are left out. */
const maxItems = 256

const xargsOptions = {
  short: 'aEdILnPs',
  long: 'arg-file delimiter max-lines max-args max-procs max-chars process-slot-var'.split(' '),
  flags: 'null interactive no-run-if-empty open-tty verbose exit show-limits eof replace'.split(' '),
  stopsAtOperand: true,
}

/** `xargs COMMAND`: what is read becomes arguments. */
export const unwrapXargs: Unwrap = ({ words, input, budget }) => {
  const { options, operands } = readOptions(words.slice(1), xargsOptions)
  const option = (...names: string[]) => options.find(({ name }) => names.includes(name))
  const replaced = option('I', 'i', 'replace')
  const replacement = replaced === undefined ? undefined : (replaced.value ?? '{}')
  const delimiter = option('0', 'null')
    ? '\0'
    : (option('d', 'delimiter')?.value ?? (replacement === undefined ? undefined : '\n'))
  const read = option('a', 'arg-file') ? undefined : input()
  const items = itemsOf(read, delimiter)
  const last = operands.at(-1)
  if (last === undefined) return []
  if (replacement !== undefined) return replaceEach(operands, replacement, items ?? [unknownText], budget)
  const { start, end } = read ?? last
  const added = (items ?? [unknownText]).map((text) => itemField(text, { start, end, source: text }))
  return [{ kind: 'command', words: [...operands, ...added] }]
}

/** @param delimiter undefined: white space, with quotes */
function itemsOf(input: InputText | undefined, delimiter: string | undefined): readonly string[] | undefined {
  if (input === undefined) return undefined
  return input.texts.flatMap((text) =>
    delimiter === undefined
      ? [...text.matchAll(/(?:"[^"\n]*"|'[^'\n]*'|\\.|[^\s"'\\])+/gs)].map(([word]) => unquote(word))
      : text
          .split(delimiter === '\\n' ? '\n' : delimiter === '\\0' ? '\0' : delimiter)
          .filter((item) => item !== ''),
  )
}

function unquote(word: string): string {
  return word.replace(
    /"([^"]*)"|'([^']*)'|\\(.)/gs,
    (_, double, single, escaped) => double ?? single ?? escaped,
  )
}

/** Patterns come from commands that list names: see `expansion/output.ts`. */
function itemField(text: string, place: Origin): Field {
  const field = literalField(text, place)
  return text.includes('*') ? { ...field, pattern: text } : field
}

function replaceEach(
  words: readonly Field[],
  placeholder: string,
  items: readonly string[],
  budget: Budget,
): readonly Payload[] {
  return items.slice(0, maxItems).map((item) => ({
    kind: 'command',
    words: words.map((word) => {
      if (!word.text.includes(placeholder)) return word
      const source = fillIn(word.source, placeholder, item, budget)
      return itemField(fillIn(word.text, placeholder, item, budget), { ...word, source })
    }),
  }))
}

const parallelOptions = {
  short: 'aCdEIjJLNnPsS',
  long: (
    'arg-file jobs max-procs colsep delimiter joblog results sshlogin timeout delay retries tagstring workdir halt ' +
    'load memfree tmpdir max-args block recstart recend env basefile nice shuf seqreplace progress-file'
  ).split(' '),
  stopsAtOperand: true,
}

/** `parallel COMMAND ::: ITEMS`: a shell gets the words, joined, with the items put in. */
export const unwrapParallel: Unwrap = ({ words, input, budget }) => {
  const { options, operands } = readOptions(words.slice(1), parallelOptions)
  const separator = operands.findIndex(({ text }) => /^:::[:+]*$/.test(text))
  const template = (separator === -1 ? operands : operands.slice(0, separator))
    .map(({ text }) => text)
    .join(' ')
  const listed =
    separator === -1
      ? undefined
      : operands.slice(separator + 1).filter(({ text }) => !/^:::[:+]*$/.test(text))
  const isFile = listed !== undefined && operands[separator]?.text.startsWith('::::')
  const fromInput = options.some(({ name }) => name === 'a' || name === 'arg-file')
    ? undefined
    : itemsOf(input(), '\n')
  const items = isFile ? undefined : (listed?.map(({ text }) => text) ?? fromInput)
  const texts = (items ?? [unknownText]).slice(0, maxItems).map((item) => fill(template, item, budget))
  const { start } = operands[0] ?? words[0]
  return [{ kind: 'script', texts, shell: 'child', start, end: (operands.at(-1) ?? words[0]).end }]
}

function fill(template: string, item: string, budget: Budget): string {
  // Without a command each item is a command itself.
  if (template === '') return item
  const quoted = quote(item)
  const filled = fillIn(template, /\{(?:\.|\/|\/\/|\/\.|#|%|\d+)?\}/g, quoted, budget)
  return filled === template ? `${template} ${quoted}` : filled
}

/** `find … -exec COMMAND {} +` */
export const unwrapFind: Unwrap = ({ words, budget }) =>
  readFind(words.slice(1)).actions.flatMap(({ words: command, found }) => {
    if (command === undefined) return []
    const filled: Field[] = []
    for (const word of command) {
      if (!word.text.includes('{}')) filled.push(word)
      else if (word.text === '{}' && found.length > 0) {
        for (const path of found) filled.push({ ...path, start: word.start, end: word.end })
      } else {
        const text = found.length === 1 && found[0]?.pattern === null ? found[0].text : unknownText
        filled.push(literalField(fillIn(word.text, '{}', text, budget), word))
      }
    }
    return [{ kind: 'command', words: filled }]
  })
