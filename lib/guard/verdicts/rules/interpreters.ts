// Which programs print what they get from a network, and which take what they read for a program of their own. Shells are
// not among the latter: what they read is examined as a script.

import type { Field } from '../../safety/expansion/field.js'
import { type Option, readOptions } from '../../safety/option-words.js'
import { type Argument, unknownText } from '../../safety/rule.js'
import { names } from '../read-only/form.js'

const networkPrograms: readonly string[] = names(`
  GET aria2c axel curl curlie elinks fetch ftp http https lftp links lwp-download lwp-request lynx nc ncat netcat socat
  telnet tftp w3m wget xh xhs
`)

const anyOfThem = new RegExp(`\\b(?:${networkPrograms.join('|')})\\b`)

/** False: there is no need to look. */
export const mayDownload = (text: string): boolean => anyOfThem.test(text)

const standardOutput = new Set(['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'])
const curlOptions = {
  short: 'AbcCdDeEFHKmoPQrtTuUwxXyYz',
  long: ['output', 'write-out', 'header', 'data', 'request'],
}
const wgetOptions = { short: 'aoeiBtOTwQPUlARDIX', long: ['output-document'] }

/** Whether a program prints what it gets from a network. */
export function printsDownload(program: string, words: readonly Argument[]): boolean {
  if (program === 'curl') {
    const { options } = readOptions(words.slice(1), curlOptions)
    const output = options.find(({ name }) => name === 'o' || name === 'output')
    if (output !== undefined) return goesToOutput(output)
    return !options.some(({ name }) => name === 'O' || name === 'remote-name')
  }
  if (program === 'wget') {
    const { options, operands } = readOptions(words.slice(1), wgetOptions)
    const output = options.find(({ name }) => name === 'O' || name === 'output-document')
    return output === undefined ? operands.some(mayBeOption) : goesToOutput(output)
  }
  return networkPrograms.includes(program)
}

const goesToOutput = ({ value = '' }: Option<Argument>) =>
  standardOutput.has(value) || value.includes(unknownText)

const mayBeOption = ({ text }: Argument) => text.startsWith(unknownText)

interface Interpreter {
  /** Letters of options with a value. */
  short?: string
  /** Options whose value is the program, letters and names. */
  text: readonly string[]
  /** Options with which there is a program, or none is needed: what is read is data then. */
  given?: readonly string[]
  /** Long options with a value. */
  long?: readonly string[]
  /** First operands that are not the program, such as `run`. */
  verbs?: readonly string[]
  /** Whether it reads no program from standard input unless an operand says so. */
  needsDash?: boolean
}

const python: Interpreter = { short: 'cmWXQ', text: ['c'], given: ['m', 'h', 'V', 'version', 'help'] }
const node: Interpreter = {
  short: 'eprC',
  long: ['eval', 'print', 'require', 'import', 'input-type', 'loader', 'env-file', 'conditions'],
  text: ['e', 'p', 'eval', 'print'],
  given: ['v', 'h', 'version', 'help', 'test', 'check'],
}
const lisp: Interpreter = { short: 'cel', text: ['c', 'e'] }
const otherShell: Interpreter = { short: 'cC', long: ['command', 'init-command'], text: ['c', 'command'] }

const interpreters: Readonly<Record<string, Interpreter>> = {
  bun: {
    short: 'erp',
    long: ['eval', 'print'],
    text: ['e', 'p', 'eval', 'print'],
    verbs: ['run'],
    needsDash: true,
  },
  csh: otherShell,
  deno: { text: [], verbs: ['run'], needsDash: true },
  fish: otherShell,
  guile: lisp,
  ipython: python,
  julia: { short: 'eEpLJtC', text: ['e', 'E'] },
  lua: { short: 'el', text: ['e'] },
  luajit: { short: 'el', text: ['e'] },
  node,
  nodejs: node,
  osascript: { short: 'el', text: ['e'] },
  perl: { short: 'eEIMm', text: ['e', 'E'], given: ['v', 'V', 'h'] },
  php: { short: 'cdfFBERrtzSg', text: ['r', 'B', 'R', 'E'], given: ['v', 'h', 'i', 'm', 'l'] },
  pwsh: { long: ['command'], text: ['command'] },
  pypy: python,
  pypy3: python,
  python,
  R: { short: 'efg', long: ['file', 'gui'], text: ['e'], given: ['f', 'file'] },
  Rscript: { short: 'e', text: ['e'], needsDash: true },
  ruby: { short: 'eCEIrFTx', text: ['e'], given: ['v', 'h', 'version', 'help'] },
  tclsh: { text: [] },
  tcsh: otherShell,
  'ts-node': { short: 'epr', long: ['eval', 'print'], text: ['e', 'p', 'eval', 'print'] },
  tsx: node,
}

export interface ProgramSource {
  /** A text that is the program, or a file with it. */
  argument: Field | undefined
  /** Whether the program is what it reads from its standard input. */
  isInput: boolean
}

const standardInput = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'])

/** @returns where an interpreter has its program from; undefined: it is none, or has one of its own */
export function programOf(program: string, words: readonly Field[]): ProgramSource | undefined {
  const name = /^python[\d.]+$/.test(program) ? 'python' : program
  if (!Object.hasOwn(interpreters, name)) return undefined
  const { text, given = [], verbs = [], needsDash = false, ...table } = interpreters[name] as Interpreter
  const { options, operands } = readOptions(words.slice(1), { ...table, stopsAtOperand: true })
  const own = options.find((option) => text.includes(option.name))
  if (own !== undefined) return { argument: { ...own.valueArgument, text: own.value ?? '' }, isInput: false }
  if (options.some((option) => given.includes(option.name))) return undefined
  const [first, ...rest] = operands
  const file = first !== undefined && verbs.includes(first.text) ? skipOptions(rest) : first
  const isInput = file === undefined ? !needsDash : standardInput.has(file.text)
  return { argument: isInput ? undefined : file, isInput }
}

const skipOptions = (words: readonly Field[]): Field | undefined =>
  words.find(({ text }) => !/^-./.test(text))
