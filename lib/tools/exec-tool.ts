// createExecTool(): the bash tool of 002. Stateless: one instance serves any number of conversations.

import { execute } from '../engine/execute.js'
import { type ResolvedOptions, resolveOptions } from '../engine/options.js'
import { blankResult, type RunResult } from '../engine/result.js'
import { type EnvironmentOptions, validateEnvironmentOptions } from '../environment/options.js'
import { BashError } from '../errors.js'
import { checkObject, invalidInput } from '../invalid-input.js'
import { notify } from '../listener.js'
import { execProfile } from '../output/profile.js'
import type { BashEvent } from '../result.js'
import { callMethods } from './call-methods.js'
import { checkedCall } from './checked-call.js'
import { type ExecContext, type ResolvedExecContext, resolveExecContext } from './exec-context.js'
import { describeStartFailure, type ExecResult, execText, toExecResult } from './exec-result.js'
import { describeExecTool, type ExecInput, execSchema } from './exec-schema.js'
import type { Tool } from './types.js'

export interface ExecToolOptions {
  /** The bash to use, an absolute path. Default `/bin/bash`. */
  shellPath?: string | undefined
  /**
   * What commands get of this process's environment. Default: all of it, and nothing else; `inherit` is `'all'` also
   * when only other fields are given (002, "Environment").
   */
  env?: EnvironmentOptions | undefined
  /** Milliseconds, 1…86400000. Default 30000. */
  timeout?: number | undefined
  /** `'adopt'` (default) lets processes live that a command leaves running, `'kill'` ends them. */
  survivors?: 'adopt' | 'kill' | undefined
  /** Milliseconds from SIGTERM to SIGKILL when a command is killed, 0…10000. Default 2000. */
  termGraceMs?: number | undefined
}

export interface ExecTool extends Tool<ExecInput, ExecResult> {
  /** @throws {BashError} for a context that cannot be used */
  description(context?: ExecContext): string
  /** Runs a call. Never rejects: what went wrong is the result's `error`. */
  execute(input: unknown, context?: ExecContext): Promise<ExecResult>
  /** The same, step by step. Breaking out of the loop kills the command. */
  stream(input: unknown, context?: ExecContext): AsyncIterable<BashEvent<ExecResult>>
}

const name = 'bash'

const optionNames = [
  'shellPath',
  'env',
  'timeout',
  'survivors',
  'termGraceMs',
] as const satisfies readonly (keyof ExecToolOptions)[]

/**
 * The `bash` tool `{command}` that gives `{stdout, stderr, exitCode, error?}`.
 * Source: 002.
 *
 * @throws {BashError} ERR_INVALID_INPUT for a wrong option
 */
export function createExecTool(options: ExecToolOptions = {}): ExecTool {
  const base = resolveExecOptions(options)
  return {
    name,
    inputSchema: execSchema,
    description: (context) => describeExecTool(resolveExecContext(context).workingDir, base.timeoutMs),
    toText: execText,
    ...callMethods<ExecContext | undefined, ResolvedExecContext, ExecResult>({
      resolveContext: resolveExecContext,
      call: async (input, getContext, context) =>
        toExecResult(
          await checkedCall(name, execSchema, input, context, ({ command }) =>
            run(command, base, getContext),
          ),
        ),
    }),
  }
}

/** Checked when the tool is made, and not at the first command. */
function resolveExecOptions(options: ExecToolOptions): ResolvedOptions {
  checkObject('options', options, optionNames)
  const { shellPath = '/bin/bash', timeout = 30_000, env = {}, survivors, termGraceMs } = options
  validateEnvironmentOptions(env)
  const resolved = resolveOptions({
    cwd: '/',
    shellPath,
    timeout,
    env: { ...env, inherit: env.inherit ?? 'all' },
    survivors,
    termGraceMs,
    streams: 'separate',
  })
  return { ...resolved, output: execProfile }
}

/** Never rejects: here it is still known which system call has failed. */
async function run(
  command: string,
  base: ResolvedOptions,
  getContext: () => ResolvedExecContext,
): Promise<RunResult> {
  try {
    // Nothing to run is a slip of the caller; a success that printed nothing would hide it.
    if (command.trim() === '') throw invalidInput('command', 'must not be empty', command)
    const { workingDir, cancel, onEvent } = getContext()
    notify(onEvent, { type: 'start', command, display: command })
    return await execute(command, { ...base, cwd: workingDir, cancelSignal: cancel, onOutput: onEvent })
  } catch (error) {
    const code = BashError.isInstance(error) ? error.code : 'ERR_INTERNAL'
    return { ...blankResult(command, 'error'), error: { code, message: describeStartFailure(error) } }
  }
}
