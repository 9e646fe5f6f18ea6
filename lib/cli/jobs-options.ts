// The command line of `bashward jobs`.

import { suggestion } from '../nearest.js'
import { preview } from '../schema/preview.js'
import { guessOptions, parseOptions, UsageError } from './command-line.js'

const program = 'bashward jobs'

const options = {
  filter: { type: 'string' },
  offset: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

export type JobsCall = { json: boolean } & (
  | { action: 'list' }
  | { action: 'output'; id: string; filter: string | undefined; offset: number }
  | { action: 'kill'; id: string }
)

/** @throws {UsageError} */
export function parseJobsCall(args: string[]): JobsCall | 'help' | 'version' {
  const { values, words } = parseOptions(program, args, options)
  if (values.help) return 'help'
  if (values.version) return 'version'
  const { json = false, filter, offset } = values
  const [action = 'list', ...ids] = words
  if (action !== 'output') {
    for (const [name, value] of Object.entries({ filter, offset })) {
      if (value !== undefined) throw new UsageError(program, `--${name} goes with 'output' only`)
    }
  }
  switch (action) {
    case 'list':
      if (ids.length > 0) throw new UsageError(program, `unexpected word '${ids[0]}' after 'list'`)
      return { action, json }
    case 'output':
      return { action, json, id: onlyId(action, ids), filter, offset: checkOffset(offset) }
    case 'kill':
      return { action, json, id: onlyId(action, ids) }
    default:
      throw new UsageError(
        program,
        `unknown word '${action}'${suggestion(action, ['list', 'output', 'kill'])}`,
      )
  }
}

/** Whether a command line that may be wrong asks for JSON. */
export function wantsJson(args: string[]): boolean {
  return guessOptions(args, options).json === true
}

function onlyId(action: string, [id, another]: string[]): string {
  if (id === undefined) throw new UsageError(program, `'${action}' needs the id of a job`)
  if (another !== undefined) throw new UsageError(program, `unexpected word '${another}' after '${id}'`)
  return id
}

function checkOffset(value = '0'): number {
  const offset = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (Number.isSafeInteger(offset)) return offset
  throw new UsageError(program, `--offset must be a number of bytes (got ${preview(value)})`)
}
