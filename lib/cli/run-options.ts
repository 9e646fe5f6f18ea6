// The command line of `bashward run`.

import { timeoutRange } from '../engine/options.js'
import { preview } from '../schema/preview.js'
import { type BashMode, bashModes } from '../tools/bash-schema.js'
import { parseLeadingOptions, UsageError } from './command-line.js'

const program = 'bashward run'

const options = {
  mode: { type: 'string' },
  timeout: { type: 'string' },
  cwd: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

export interface RunCall {
  command: string
  mode: BashMode
  /** Undefined: the mode's own. */
  timeoutMs: number | undefined
  /** Possibly relative to the working directory of the process. */
  cwd: string
  json: boolean
}

/** @throws {UsageError} naming the option, what is allowed and what came */
export function parseRunCall(args: string[]): RunCall | 'help' | 'version' {
  const { values, words } = parseLeadingOptions(program, args, options)
  if (values.help) return 'help'
  if (values.version) return 'version'
  if (words.length === 0) throw new UsageError(program, 'no command given')
  return {
    command: words.join(' '),
    mode: checkMode(values.mode),
    timeoutMs: checkTimeout(values.timeout),
    cwd: checkDirectory(values.cwd),
    json: values.json ?? false,
  }
}

function checkMode(value = 'default'): BashMode {
  const mode = bashModes.find((name) => name === value)
  if (mode === undefined) throw wrongValue('--mode', `must be one of ${bashModes.join(', ')}`, value)
  return mode
}

function checkTimeout(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const [minimum, maximum] = timeoutRange
  // Number() alone would take '', '0x10' and '1e3', which nobody means.
  const milliseconds = /^(\d+\.?\d*|\.\d+)$/.test(value) ? Math.round(Number(value) * 1000) : Number.NaN
  if (milliseconds >= minimum && milliseconds <= maximum) return milliseconds
  const range = `must be a number of seconds from ${minimum / 1000} to ${maximum / 1000}`
  throw wrongValue('--timeout', range, value)
}

function checkDirectory(value = '.'): string {
  if (value === '') throw wrongValue('--cwd', 'must be the path of a directory', value)
  return value
}

function wrongValue(option: string, requirement: string, received: string): UsageError {
  return new UsageError(program, `${option} ${requirement} (got ${preview(received)})`)
}
