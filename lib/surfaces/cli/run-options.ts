// The command line of `bashward run`.

import { resolve } from 'node:path'
import { timeoutRange } from '../../commands/run/command-options.js'
import { type BashResult, blankResult } from '../../commands/run/result.js'
import { maxTerminal } from '../../terminals/terminal/size.js'
import { type BashMode, bashModes } from '../../tools/bash-schema.js'
import { type ExecResult, toExecResult } from '../../tools/exec-result.js'
import {
  commonOptions,
  guessLeadingOptions,
  parseDirectory,
  parseLeadingOptions,
  parseSeconds,
  parseToolOptions,
  type ToolSettings,
  toolOptions,
  UsageError,
  wrongValue,
} from './command-line.js'

export const program = 'bashward run'

const options = {
  profile: { type: 'string' },
  mode: { type: 'string' },
  timeout: { type: 'string' },
  tty: { type: 'boolean' },
  rows: { type: 'string' },
  cols: { type: 'string' },
  ...toolOptions,
  workspace: { type: 'string' },
  json: { type: 'boolean' },
  ...commonOptions,
} as const

const profiles = ['bash', 'exec', 'suite'] as const
export type Profile = (typeof profiles)[number]

/** The modes that a profile has; of one that has not all of them, why. */
const profileModes: Record<Profile, { modes: readonly BashMode[]; reason: string }> = {
  bash: { modes: bashModes, reason: '' },
  exec: { modes: ['default'], reason: 'its tool has no modes; for longer commands there is --timeout' },
  suite: {
    modes: ['default', 'background'],
    reason: 'its tool has no slow mode; for longer commands there is --timeout, up to 600 seconds',
  },
}

/** Milliseconds. */
const suiteTimeoutRange = [1, 600_000] as const

/** A terminal, of this size if it is given. */
export interface TtyCall {
  rows?: number
  cols?: number
}

export interface RunCall extends ToolSettings {
  profile: Profile
  command: string
  mode: BashMode
  /** Undefined: the tool's own. */
  timeoutMs: number | undefined
  /** Possibly relative to the working directory of the process. */
  cwd: string
  json: boolean
  /** Undefined: the command has no terminal. */
  tty?: TtyCall
}

/** @throws {UsageError} naming the option, what is allowed and what came */
export function parseRunCall(args: string[]): RunCall | 'help' | 'version' {
  const { values, words } = parseLeadingOptions(program, args, options)
  if (values.help) return 'help'
  if (values.version) return 'version'
  const profile = checkOneOf('--profile', values.profile ?? 'bash', profiles)
  const mode = checkMode(values.mode, profile)
  const range = profile === 'suite' ? suiteTimeoutRange : timeoutRange
  const timeoutMs = parseSeconds(program, '--timeout', values.timeout, range)
  const workspace =
    values.workspace === undefined
      ? undefined
      : resolve(parseDirectory(program, values.workspace, '--workspace'))
  const cwd = parseDirectory(program, values.cwd ?? workspace)
  const tool = parseToolOptions(program, values, workspace)
  if (words.length === 0) throw new UsageError(program, 'no command given')
  if (words[0] === '-' && words.length > 1)
    throw new UsageError(program, '- reads the command from stdin, and takes no other words')
  const tty = parseTty(values, { profile, mode, isRead: words[0] === '-' })
  return {
    profile,
    command: words.join(' '),
    mode,
    timeoutMs,
    cwd,
    ...tool,
    json: values.json === true,
    ...(tty !== undefined && { tty }),
  }
}

interface GivenTty {
  tty?: boolean
  rows?: string
  cols?: string
  json?: boolean
}

interface BesideTty {
  profile: Profile
  mode: BashMode
  /** Whether the command is read from stdin. */
  isRead: boolean
}

/** @throws {UsageError} also for options that mean nothing to a job that a person is attached to */
function parseTty(
  { tty, rows, cols, json }: GivenTty,
  { profile, mode, isRead }: BesideTty,
): TtyCall | undefined {
  if (!tty) {
    const option = rows !== undefined ? '--rows' : cols !== undefined ? '--cols' : undefined
    if (option !== undefined) throw new UsageError(program, `${option} goes with --tty`)
    return undefined
  }
  const refuse = (what: string) => new UsageError(program, `${what} cannot be used with --tty`)
  if (json) throw refuse('--json')
  if (profile !== 'bash') throw refuse(`--profile ${profile}`)
  if (mode === 'slow') throw refuse('--mode slow')
  if (isRead && mode !== 'background') throw refuse('- (the command on stdin)')
  return {
    ...(rows !== undefined && { rows: checkCount('--rows', rows, maxTerminal.rows) }),
    ...(cols !== undefined && { cols: checkCount('--cols', cols, maxTerminal.cols) }),
  }
}

function checkCount(option: string, value: string, most: number): number {
  const count = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (count >= 1 && count <= most) return count
  throw wrongValue(program, option, `must be an integer from 1 to ${most}`, value)
}

/** The result for a wrong command line, when it asks for JSON as far as it can be understood. */
export function invalidRunResult(
  args: string[],
  { message }: UsageError,
): BashResult | ExecResult | undefined {
  const { values, words } = guessLeadingOptions(args, options)
  if (values.json !== true) return undefined
  const error = { code: 'ERR_INVALID_INPUT', message }
  const result = { ...blankResult(words.join(' '), 'invalid'), error }
  return values.profile === 'exec' ? toExecResult(result) : result
}

function checkOneOf<Name extends string>(option: string, value: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === value)
  if (found === undefined) throw wrongValue(program, option, `must be one of ${names.join(', ')}`, value)
  return found
}

function checkMode(value = 'default', profile: Profile): BashMode {
  const mode = checkOneOf('--mode', value, bashModes)
  const { modes, reason } = profileModes[profile]
  if (modes.includes(mode)) return mode
  throw new UsageError(program, `--mode ${mode} cannot be used with --profile ${profile}: ${reason}`)
}
