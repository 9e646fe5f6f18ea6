// Reading a command line: that of `run` has the form `[options] [--] words…`, where options end at the first word, as
// with env(1); elsewhere options and words may be mixed.

import { resolve } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { BashError } from '../../base/errors.js'
import { nearest } from '../../base/util/nearest.js'
import { preview } from '../../base/util/schema/preview.js'
import { failedStatus } from '../../commands/run/exit-status.js'
import { domainRules } from '../../guard/sandbox/network-policy.js'
import type { SandboxMode, SandboxPolicy } from '../../guard/sandbox/policy.js'

/** The exit statuses that are the program's own, and not those of what it ran. */
export const ExitStatus = {
  success: 0,
  /** There is no such job, it cannot be killed, or has no terminal (any more). */
  jobFailed: 1,
  /** A job that was waited for waits for input. */
  waitsForInput: 122,
  /** A job that was waited for still runs, and the time is up. */
  stillRuns: 123,
  /** Restricted mode cannot be offered here. */
  noSandbox: 1,
  /** A command that was to be checked, and not to be run, is refused. */
  checkedAndRefused: 1,
  /** Of such a command somebody has to be asked. */
  checkedAndAsks: 2,
  /** The program failed or was called wrongly; the command is not to blame. */
  toolFailed: failedStatus,
} as const

/** The command line is wrong; the message says where. */
export class UsageError extends Error {
  /** @param program the program or command whose `--help` explains what is right */
  constructor(
    readonly program: string,
    message: string,
  ) {
    super(message)
  }
}

/** The options of the commands that make a tool. */
export const toolOptions = {
  cwd: { type: 'string' },
  restricted: { type: 'boolean' },
  writable: { type: 'string', multiple: true },
  unreadable: { type: 'string', multiple: true },
  'allow-domain': { type: 'string', multiple: true },
  'shared-memory': { type: 'boolean' },
  scratch: { type: 'boolean' },
  'login-env': { type: 'boolean' },
  'no-safety': { type: 'boolean' },
  strict: { type: 'boolean' },
} as const

/** The options that every command has. */
export const commonOptions = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const

type Options = NonNullable<ParseArgsConfig['options']>
type Values<Known extends Options> = ReturnType<typeof parseArgs<{ options: Known }>>['values']

export interface CommandLine<Known extends Options> {
  values: Values<Known>
  /** Everything from the first word that is no option, or all such words. */
  words: string[]
}

/** @throws {UsageError} for an unknown option, or one that lacks its value or may not have one */
export function parseLeadingOptions<const Known extends Options>(
  program: string,
  args: string[],
  options: Known,
): CommandLine<Known> {
  const { leading, words } = splitAtFirstWord(args, options)
  return { values: parseOptions(program, leading, options).values, words }
}

/** Options may also follow the words. @throws {UsageError} as {@link parseLeadingOptions} */
export function parseOptions<const Known extends Options>(
  program: string,
  args: string[],
  options: Known,
): CommandLine<Known> {
  const joined = withDashedValues(args, options)
  for (const token of tokensOf(joined, options)) {
    const problem = token.kind === 'option' ? problemOf(token, options) : undefined
    if (problem !== undefined) throw new UsageError(program, problem)
  }
  const { values, positionals } = parseArgs({ args: joined, options, allowPositionals: true })
  return { values, words: positionals }
}

/** What can be understood of a command line that may be wrong: how its error is to be told, for one. */
export function guessLeadingOptions(
  args: string[],
  options: Options,
): { values: Record<string, unknown>; words: string[] } {
  const { leading, words } = splitAtFirstWord(args, options)
  return { values: guessOptions(leading, options), words }
}

/** Likewise, where options may also follow the words. */
export function guessOptions(args: string[], options: Options): Record<string, unknown> {
  return parseArgs({ args, options, strict: false }).values
}

type OptionToken = Extract<ReturnType<typeof tokensOf>[number], { kind: 'option' }>

/** What is wrong with an option, in words that parseArgs does not have. */
function problemOf({ name, rawName, value, inlineValue }: OptionToken, known: Options): string | undefined {
  const option = Object.hasOwn(known, name) ? known[name] : undefined
  if (option === undefined) return `unknown option '${rawName}'${meantOption(rawName, known)}`
  if (option.type === 'boolean') {
    return value === undefined ? undefined : `${rawName} takes no value (got ${preview(value)})`
  }
  if (value === undefined) return `${rawName} needs a value`
  const isOption = !inlineValue && value.startsWith('-')
  return isOption ? `${rawName} needs a value (got ${value}; if that is it: ${rawName}=${value})` : undefined
}

function meantOption(rawName: string, known: Options): string {
  // A letter is as near to every other.
  const names = rawName.startsWith('--') ? Object.keys(known).map((name) => `--${name}`) : []
  const meant = nearest(rawName, names)
  return meant === undefined ? '' : `: did you mean '${meant}'?`
}

// parseArgs takes options from anywhere.
function splitAtFirstWord(args: string[], options: Options): { leading: string[]; words: string[] } {
  const end = tokensOf(args, options).find(({ kind }) => kind !== 'option')
  if (end === undefined) return { leading: args, words: [] }
  const words = args.slice(end.kind === 'positional' ? end.index : end.index + 1)
  return { leading: args.slice(0, end.index), words }
}

/**
 * `--timeout -5` as `--timeout=-5`: parseArgs refuses the former as ambiguous, and its message is about words, where
 * the value is what is wrong. Only what could be an option here stays ambiguous.
 */
function withDashedValues(args: string[], options: Options): string[] {
  const letters = Object.values(options).map(({ short }) => `-${short}`)
  const joined = [...args]
  for (const token of tokensOf(args, options).reverse()) {
    if (token.kind !== 'option' || token.inlineValue !== false) continue
    const { value, index, rawName } = token
    const isOption = value.startsWith('--') || letters.includes(value)
    if (value.startsWith('-') && !isOption) joined.splice(index, 2, `${rawName}=${value}`)
  }
  return joined
}

function tokensOf(args: string[], options: Options) {
  return parseArgs({ args, options, strict: false, tokens: true }).tokens
}

export function wrongValue(
  program: string,
  option: string,
  requirement: string,
  received: string,
): UsageError {
  return new UsageError(program, `${option} ${requirement} (got ${preview(received)})`)
}

/**
 * A number of seconds, such as `0.5`.
 *
 * @param range milliseconds
 * @returns milliseconds; undefined when the option was not given
 * @throws {UsageError}
 */
export function parseSeconds(
  program: string,
  option: string,
  value: string | undefined,
  [minimum, maximum]: readonly [number, number],
): number | undefined {
  if (value === undefined) return undefined
  // Number() alone would take '', '0x10' and '1e3', which nobody means.
  const milliseconds = /^(\d+\.?\d*|\.\d+)$/.test(value) ? Math.round(Number(value) * 1000) : Number.NaN
  if (milliseconds >= minimum && milliseconds <= maximum) return milliseconds
  const range = `must be a number of seconds from ${minimum / 1000} to ${maximum / 1000}`
  throw wrongValue(program, option, range, value)
}

/** @throws {UsageError} for an empty path */
export function parseDirectory(program: string, value = '.', option = '--cwd'): string {
  if (value === '') throw wrongValue(program, option, 'must be the path of a directory', value)
  return value
}

export interface ToolSettings {
  sandbox: SandboxMode
  /** What is different in Workspace mode. */
  workspace?: Partial<SandboxPolicy>
  /** Whether a command gets a scratch directory; undefined: as its sandbox has it. */
  scratch: boolean | undefined
  /** Whether dangerous commands are refused. */
  safety: boolean
  /** What differs from the default. */
  env?: { login: true }
  /** Whether to end where commands could change this program itself. */
  strict: boolean
}

/**
 * The values of the options that both commands have.
 *
 * @param workspace the directory of Workspace mode; undefined: another mode is asked for
 * @throws {UsageError}
 */
export function parseToolOptions(
  program: string,
  values: Values<typeof toolOptions>,
  workspace: string | undefined,
): ToolSettings {
  const { restricted = false, scratch = false, strict = false, 'no-safety': isUnsafe = false } = values
  const common = { safety: !isUnsafe, strict, ...(values['login-env'] && { env: { login: true as const } }) }
  if (workspace !== undefined) {
    if (restricted)
      throw new UsageError(program, '--restricted and --workspace are two modes: give one of them')
    return {
      sandbox: 'workspace',
      workspace: changesOf(program, values, workspace),
      scratch: undefined,
      ...common,
    }
  }
  const option = (['writable', 'unreadable', 'allow-domain', 'shared-memory'] as const).find(
    (name) => values[name] !== undefined,
  )
  if (option !== undefined) throw new UsageError(program, `--${option} goes with --workspace`)
  if (scratch && !restricted) {
    throw new UsageError(program, '--scratch goes with --restricted: without it commands can write anyway')
  }
  return { sandbox: restricted ? 'restricted' : 'unrestricted', scratch, ...common }
}

/** Paths begin where the program runs, and not where its commands do. */
function changesOf(
  program: string,
  values: Values<typeof toolOptions>,
  workspace: string,
): Partial<SandboxPolicy> {
  const { writable = [], unreadable = [], 'allow-domain': domains = [] } = values
  const pathsOf = (option: string, paths: string[]) =>
    paths.map((path) => (path.startsWith('~') ? path : resolve(parseDirectory(program, path, option))))
  return {
    writable: [workspace, ...pathsOf('--writable', writable)],
    unreadable: ['default', ...pathsOf('--unreadable', unreadable)],
    network: domains.length > 0 && { domains: checkedDomains(program, domains) },
    sharedMemory: values['shared-memory'] ?? false,
  }
}

/** One by one: a message is about the word that is wrong. */
function checkedDomains(program: string, domains: readonly string[]): readonly string[] {
  const { checkDomains } = domainRules()
  try {
    for (const domain of domains) checkDomains('', [domain])
    return checkDomains('--allow-domain:', domains)
  } catch (error) {
    if (!BashError.isInstance(error) || error.code !== 'ERR_INVALID_INPUT') throw error
    throw new UsageError(
      program,
      `--allow-domain${error.message.replace(/^(?:\[0\])?:|^--allow-domain::/, '')}`,
    )
  }
}
