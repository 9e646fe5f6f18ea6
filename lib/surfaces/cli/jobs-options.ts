// The command line of `bashward jobs`.

import { suggestion } from '../../base/util/nearest.js'
import { preview } from '../../base/util/schema/preview.js'
import { commonOptions, guessOptions, parseOptions, parseSeconds, UsageError } from './command-line.js'

const program = 'bashward jobs'

const options = {
  filter: { type: 'string' },
  offset: { type: 'string' },
  follow: { type: 'boolean', short: 'f' },
  running: { type: 'boolean' },
  all: { type: 'boolean' },
  consumer: { type: 'string' },
  match: { type: 'string' },
  timeout: { type: 'string' },
  keys: { type: 'boolean' },
  secret: { type: 'boolean' },
  'no-submit': { type: 'boolean' },
  'read-only': { type: 'boolean' },
  resize: { type: 'boolean' },
  json: { type: 'boolean' },
  ...commonOptions,
} as const

export type JobsCall = { json: boolean } & (
  | { action: 'list'; isRunning: boolean | undefined }
  | {
      action: 'output'
      id: string
      filter: string | undefined
      offset: number
      isFollowed: boolean | undefined
    }
  | { action: 'wait'; id: string; timeoutMs: number | undefined }
  | { action: 'explain'; id: string }
  | { action: 'screen'; id: string }
  | { action: 'input'; id: string; input: Input }
  | { action: 'attach'; id: string; isReadOnly: boolean; isResized: boolean }
  | { action: 'watch'; id: string | undefined; consumer: string | undefined; match: string | undefined }
  | { action: 'kill'; id: string }
  | { action: 'clean'; isAll: boolean | undefined }
)

const actions = [
  ...['list', 'output', 'wait', 'attach', 'screen', 'input', 'explain', 'watch', 'kill', 'clean'],
] as const

/** The action that an option goes with. */
const actionOf = {
  filter: 'output',
  offset: 'output',
  follow: 'output',
  running: 'list',
  all: 'clean',
  consumer: 'watch',
  match: 'watch',
  timeout: 'wait',
  keys: 'input',
  secret: 'input',
  'no-submit': 'input',
  'read-only': 'attach',
  resize: 'attach',
} as const

/** @throws {UsageError} */
export function parseJobsCall(args: string[]): JobsCall | 'help' | 'version' {
  const { values, words } = parseOptions(program, args, options)
  if (values.help) return 'help'
  if (values.version) return 'version'
  const { json = false, filter, offset, consumer, match } = values
  const { running: isRunning, follow: isFollowed, all: isAll } = values
  const [action = 'list', ...ids] = words
  for (const [name, itsAction] of Object.entries(actionOf)) {
    const isGiven = values[name as keyof typeof actionOf] !== undefined
    if (isGiven && action !== itsAction)
      throw new UsageError(program, `--${name} goes with '${itsAction}' only`)
  }
  switch (action) {
    case 'list':
      refuseWords(action, ids)
      return { action, json, isRunning }
    case 'output':
      return { action, json, id: onlyId(action, ids), filter, offset: checkOffset(offset), isFollowed }
    case 'wait':
      return { action, json, id: onlyId(action, ids), timeoutMs: checkTimeout(values.timeout) }
    case 'input':
      return { action, json, ...parseInput(ids, values) }
    case 'attach':
      return { action, json, id: onlyId(action, ids), ...parseAttach(json, values) }
    case 'screen':
    case 'explain':
    case 'kill':
      return { action, json, id: onlyId(action, ids) }
    case 'watch':
      if (match !== undefined && ids.length === 0)
        throw new UsageError(program, "--match needs the id of a job: 'watch ID'")
      return { action, json, id: ids.length === 0 ? undefined : onlyId(action, ids), consumer, match }
    case 'clean':
      refuseWords(action, ids)
      return { action, json, isAll }
    default:
      throw new UsageError(program, `unknown word '${action}'${suggestion(action, [...actions])}`)
  }
}

/** Whether a command line that may be wrong asks for JSON. */
export function wantsJson(args: string[]): boolean {
  return guessOptions(args, options).json === true
}

function refuseWords(action: string, [word]: string[]): void {
  if (word !== undefined) throw new UsageError(program, `unexpected word '${word}' after '${action}'`)
}

function onlyId(action: string, [id, another]: string[]): string {
  if (id === undefined) throw new UsageError(program, `'${action}' needs the id of a job`)
  if (another !== undefined) throw new UsageError(program, `unexpected word '${another}' after '${id}'`)
  return id
}

interface InputOptions {
  keys?: boolean
  secret?: boolean
  'no-submit'?: boolean
}

/** What is typed: words are joined with spaces, as those of a command are. */
export type Input = { text: string; submit: boolean } | { keys: string[] } | { isSecret: true }

function parseInput([id, ...words]: string[], options: InputOptions): { id: string; input: Input } {
  const { keys, secret, 'no-submit': isUnsubmitted = false } = options
  if (id === undefined) throw new UsageError(program, "'input' needs the id of a job")
  if (secret) {
    if (words.length > 0 || keys || isUnsubmitted)
      throw new UsageError(program, '--secret stands alone: the secret is typed, and followed by Enter')
    return { id, input: { isSecret: true } }
  }
  if (words.length === 0)
    throw new UsageError(program, "'input' needs a text, --keys and the names of keys, or --secret")
  if (!keys) return { id, input: { text: words.join(' '), submit: !isUnsubmitted } }
  if (isUnsubmitted) throw new UsageError(program, '--no-submit goes with a text: keys are all there is')
  return { id, input: { keys: words } }
}

interface GivenAttach {
  'read-only'?: boolean
  resize?: boolean
}

function parseAttach(
  json: boolean,
  { 'read-only': isReadOnly = false, resize: isResized = false }: GivenAttach,
) {
  if (json) throw new UsageError(program, "--json means nothing with 'attach', which shows a screen")
  if (isReadOnly && isResized)
    throw new UsageError(program, '--read-only and --resize exclude each other: who resizes changes the job')
  return { isReadOnly, isResized }
}

/** Milliseconds; of setTimeout(). */
const timeoutRange = [0, 2_147_483_000] as const

const checkTimeout = (value: string | undefined): number | undefined =>
  parseSeconds(program, '--timeout', value, timeoutRange)

function checkOffset(value = '0'): number {
  const offset = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (Number.isSafeInteger(offset)) return offset
  throw new UsageError(program, `--offset must be a number of bytes (got ${preview(value)})`)
}
