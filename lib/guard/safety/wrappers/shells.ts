// Shells, and commands that hand text to one.

import type { Field } from '../expansion/field.js'
import { type Option, readOptions } from '../option-words.js'
import { joined, type Payload, scriptFromInput, scriptOf, type Unwrap, type WrapperCall } from './payload.js'

const standardInput = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'])

/** `bash -c TEXT NAME ARGUMENTS`, `bash -s`, `bash FILE` */
const unwrapShell: Unwrap = (call) => {
  // `-c` takes no value: the text is the first operand, behind all options. `+x` unsets one.
  const words = call.words
    .slice(1)
    .filter((word, index, all) => !(word.mayVanish && all[index + 1]?.text.startsWith('-')))
    .map((word) => (/^\+./.test(word.text) ? { ...word, text: `-${word.text.slice(1)}` } : word))
  const { options, operands } = readOptions(words, {
    short: 'oO',
    long: ['rcfile', 'init-file'],
    stopsAtOperand: true,
  })
  const has = (name: string) => options.some((option) => option.name === name)
  if (has('n')) return []
  const [first, ...parameters] = operands
  if (first === undefined) return has('c') ? [] : scriptFromInput(call)
  if (has('c')) {
    return [{ ...scriptOf(first), parameters: parameters.map(({ text }) => text) }]
  }
  return has('s') ? scriptFromInput(call) : scriptFile(call, first, 'child')
}

function scriptFile(call: WrapperCall, file: Field, shell: 'same' | 'child'): readonly Payload[] {
  if (standardInput.has(file.text)) return scriptFromInput(call, shell)
  const texts = file.process === undefined ? undefined : call.outputOf(file.process)
  return texts === undefined ? [] : [{ kind: 'script', texts, shell, start: file.start, end: file.end }]
}

const unwrapEval: Unwrap = ({ words }) => joined(words.slice(words[1]?.text === '--' ? 2 : 1), 'same')

const unwrapSource: Unwrap = (call) => {
  const [, ...operands] = call.words
  const file = operands[0]?.text === '--' ? operands[1] : operands[0]
  return file === undefined ? [] : scriptFile(call, file, 'same')
}

const unwrapTrap: Unwrap = ({ words }) => {
  const [text, signal] = words[1]?.text === '--' ? words.slice(2) : words.slice(1)
  const removes = text === undefined || signal === undefined || text.text.startsWith('-')
  return removes ? [] : [scriptOf(text, 'same')]
}

/** `su USER -c TEXT`, `runuser -u USER COMMAND` */
const unwrapSu: Unwrap = (call) => {
  const table = {
    short: 'cgGswu',
    long: ['command', 'session-command', 'group', 'supp-group', 'shell', 'whitelist-environment', 'user'],
    flags: ['fast', 'login', 'preserve-environment', 'pty'],
  }
  const args = call.words.slice(1)
  const leading = readOptions(args, { ...table, stopsAtOperand: true })
  if (leading.options.some(({ name }) => name === 'u' || name === 'user')) {
    return [{ kind: 'command', words: leading.operands }]
  }
  const { options, operands } = readOptions(args, table)
  const text = options.find(({ name }) => ['c', 'command', 'session-command'].includes(name))
  if (text !== undefined) return textOf(text)
  return operands.length <= 2 ? scriptFromInput(call) : []
}

function textOf({ value, valueArgument }: Option<Field>): readonly Payload[] {
  return value === undefined ? [] : [scriptOf({ ...valueArgument, text: value })]
}

/** `script -c TEXT FILE`, `script FILE -- COMMAND` */
const unwrapScript: Unwrap = (call) => {
  const { options, operands } = readOptions(call.words.slice(1), {
    short: 'cEIOBTmo',
    long: ['command', 'echo', 'log-in', 'log-out', 'log-io', 'log-timing', 'logging-format', 'output-limit'],
  })
  const text = options.find(({ name }) => name === 'c' || name === 'command')
  if (text !== undefined) return textOf(text)
  const dashes = call.words.findIndex((word) => word.text === '--')
  if (dashes !== -1) return [{ kind: 'command', words: call.words.slice(dashes + 1) }]
  return operands.length <= 1 ? scriptFromInput(call) : []
}

/** `flock FILE COMMAND`, `flock FILE -c TEXT` */
const unwrapFlock: Unwrap = ({ words }) => {
  const table = { short: 'wE', long: ['timeout', 'wait', 'conflict-exit-code'], stopsAtOperand: true }
  const [, ...rest] = readOptions(words.slice(1), table).operands
  const [first, text] = rest
  if (first?.text !== '-c' && first?.text !== '--command') return [{ kind: 'command', words: rest }]
  return text === undefined ? [] : [scriptOf(text)]
}

/** `ssh HOST WORDS`: a shell there gets the words, joined. */
const unwrapSsh: Unwrap = (call) => {
  const table = { short: 'BbcDEeFIiJLlmOopQRSWw', stopsAtOperand: true }
  const { options, operands } = readOptions(call.words.slice(1), table)
  if (operands.length === 0) return []
  // Options are also taken behind the host.
  const rest = readOptions(operands.slice(1), table)
  if ([...options, ...rest.options].some(({ name }) => 'NOQVW'.includes(name))) return []
  return rest.operands.length > 0 ? joined(rest.operands, 'elsewhere') : scriptFromInput(call, 'elsewhere')
}

/** `watch WORDS`: `sh -c` with the words joined, or with `-x` the command itself. */
const unwrapWatch: Unwrap = ({ words }) => {
  const table = {
    short: 'nqs',
    long: ['interval', 'equexit', 'shotsdir'],
    flags: ['exec', 'exit'],
    stopsAtOperand: true,
  }
  const { options, operands } = readOptions(words.slice(1), table)
  if (options.some(({ name }) => name === 'x' || name === 'exec'))
    return [{ kind: 'command', words: operands }]
  return joined(operands)
}

/** `at TIME`, `batch`: the commands come from standard input. */
const unwrapAt: Unwrap = (call) => {
  const other = /^-\w*[fldcr]/
  return call.words.some(({ text }) => other.test(text)) ? [] : scriptFromInput(call)
}

export const shellCommands: readonly (readonly [string, Unwrap])[] = [
  ...['ash', 'bash', 'dash', 'ksh', 'mksh', 'rbash', 'sh', 'zsh'].map((name): readonly [string, Unwrap] => [
    name,
    unwrapShell,
  ]),
  ['.', unwrapSource],
  ['at', unwrapAt],
  ['batch', unwrapAt],
  ['eval', unwrapEval],
  ['flock', unwrapFlock],
  ['runuser', unwrapSu],
  ['script', unwrapScript],
  ['source', unwrapSource],
  ['ssh', unwrapSsh],
  ['su', unwrapSu],
  ['trap', unwrapTrap],
  ['watch', unwrapWatch],
]
