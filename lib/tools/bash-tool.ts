// createBashTool(): the bash tool of 000, 001 and 003. Stateless: one instance serves any number of conversations.

import { execute } from '../engine/execute.js'
import type { ResourceLimits } from '../engine/limits.js'
import { checkCommand, resolveOptions, timeoutRange } from '../engine/options.js'
import { blankResult } from '../engine/result.js'
import type { SaveOutputOptions } from '../engine/save-output.js'
import type { EnvironmentOptions } from '../environment/options.js'
import { BashError } from '../errors.js'
import { checkInteger, checkObject } from '../invalid-input.js'
import { notify } from '../listener.js'
import type { BashEvent, BashResult } from '../result.js'
import { validate } from '../schema/validate.js'
import { type BashInput, type BashSchema, bashSchema, describeBashTool } from './bash-schema.js'
import { bashText } from './bash-text.js'
import { type ResolvedContext, resolveContext } from './context.js'
import { eventStream } from './event-stream.js'
import type { Tool, ToolContext } from './types.js'

export interface BashToolOptions {
  /** The bash to use, an absolute path. Default: the one on PATH. */
  shellPath?: string | undefined
  /** What commands get of this process's environment. Default: no secrets, and non-interactive defaults. */
  env?: EnvironmentOptions | undefined
  /** Strip ANSI escape sequences and render carriage returns as a terminal would. Default false. */
  normalizeOutput?: boolean | undefined
  /** Keep output that is too long to be given whole in a file, see `RunOptions`. Default false. */
  saveOutput?: boolean | SaveOutputOptions | undefined
  /** What becomes of processes that a command leaves running, see `RunOptions`. Default `'adopt'`. */
  survivors?: 'adopt' | 'kill' | undefined
  /** Milliseconds from SIGTERM to SIGKILL when a command is killed, 0…10000. Default 2000. */
  termGraceMs?: number | undefined
  /** Default: the limits of this process. */
  limits?: ResourceLimits | undefined
  /** Milliseconds, 1…86400000. Default 30000 and 900000 (000/REQ-BASH-002). */
  timeouts?: { default?: number | undefined; slow?: number | undefined } | undefined
}

export type BashTool = Tool<BashSchema, BashResult>

const defaultTimeouts = { default: 30_000, slow: 900_000 }

const optionNames = [
  'shellPath',
  'env',
  'normalizeOutput',
  'saveOutput',
  'survivors',
  'termGraceMs',
  'limits',
  'timeouts',
] as const satisfies readonly (keyof BashToolOptions)[]

/**
 * The `bash` tool `{command, mode?}`.
 *
 * @throws {BashError} ERR_INVALID_INPUT for a wrong option
 */
export function createBashTool(options: BashToolOptions = {}): BashTool {
  checkObject('options', options, optionNames)
  const { timeouts, ...runOptions } = options
  const timeoutOf = resolveTimeouts(timeouts)
  // Checked now and not at the first command.
  const base = resolveOptions({ ...runOptions, cwd: '/' })
  const schema = bashSchema(timeoutOf)

  async function run(
    { command, mode = 'default' }: BashInput,
    context: ResolvedContext,
  ): Promise<BashResult> {
    if (mode === 'background') {
      throw new BashError(
        'ERR_NOT_AVAILABLE',
        'mode "background" is not available yet in this version of bashward',
      )
    }
    const { workingDir, cancel, onEvent } = context
    notify(onEvent, { type: 'start', command, display: command })
    return await execute(command, {
      ...base,
      cwd: workingDir,
      cancelSignal: cancel,
      timeoutMs: timeoutOf[mode],
      onOutput: onEvent,
    })
  }

  /** Never rejects. `getContext` may throw: a context that cannot be used is the host program's mistake. */
  async function call(input: unknown, getContext: () => ResolvedContext): Promise<BashResult> {
    const validation = validate(schema, input)
    if (!validation.ok) {
      const message = validation.issues.map((issue) => issue.message).join('; ')
      return errorResult('invalid', input, new BashError('ERR_INVALID_INPUT', message))
    }
    try {
      checkCommand(validation.value.command)
    } catch (error) {
      return errorResult('invalid', input, error)
    }
    try {
      return await run(validation.value, getContext())
    } catch (error) {
      return errorResult('error', input, error)
    }
  }

  return {
    name: 'bash',
    inputSchema: schema,
    description: (context) => describeBashTool(resolveContext(context).workingDir),
    toText: bashText,

    async execute(input, context) {
      const resolved = attempt(() => resolveContext(context))
      const result = await call(input, resolved.get)
      notify(listenerOf(context), { type: 'result', result })
      return result
    },

    stream: (input, context) =>
      eventStream(async (emit, controller) => {
        const resolved = attempt(() => resolveContext(context))
        const onEvent = (event: BashEvent) => {
          emit(event)
          notify(listenerOf(context), event)
        }
        const release = follow(resolved.value?.cancel, controller)
        const result = await call(input, () => ({ ...resolved.get(), cancel: controller.signal, onEvent }))
        release()
        onEvent({ type: 'result', result })
      }),
  }
}

/** Runs `make` once, now; `get` gives its value or throws what it threw. */
function attempt<Value>(make: () => Value): { value: Value | undefined; get: () => Value } {
  try {
    const value = make()
    return { value, get: () => value }
  } catch (error) {
    const get = () => {
      throw error
    }
    return { value: undefined, get }
  }
}

/** The listener of a context that may be unusable otherwise: what became of the call is told all the same. */
function listenerOf(context: ToolContext): ToolContext['onEvent'] {
  try {
    return typeof context.onEvent === 'function' ? context.onEvent : undefined
  } catch {
    return undefined
  }
}

/** Aborts `controller` when `signal` is. @returns a function that ends this */
function follow(signal: AbortSignal | undefined, controller: AbortController): () => void {
  const abort = () => controller.abort()
  if (signal?.aborted === true) abort()
  signal?.addEventListener('abort', abort, { once: true })
  return () => signal?.removeEventListener('abort', abort)
}

function resolveTimeouts(timeouts: BashToolOptions['timeouts'] = {}): { default: number; slow: number } {
  checkObject('timeouts', timeouts, ['default', 'slow'])
  const resolved = { ...defaultTimeouts }
  for (const mode of ['default', 'slow'] as const) {
    const timeout = timeouts[mode]
    if (timeout !== undefined) {
      resolved[mode] = checkInteger(`timeouts.${mode}`, timeout, timeoutRange, 'milliseconds')
    }
  }
  return resolved
}

function errorResult(status: 'invalid' | 'error', input: unknown, error: unknown): BashResult {
  const code = BashError.isInstance(error) ? error.code : 'ERR_INTERNAL'
  const message = error instanceof Error ? error.message : String(error)
  return { ...blankResult(commandOf(input), status), error: { code, message } }
}

/** The command as far as there is one; reading the input has already been tried and may throw again. */
function commandOf(input: unknown): string {
  try {
    const { command } = input as { command?: unknown }
    return typeof command === 'string' ? command : ''
  } catch {
    return ''
  }
}
