// createExecTool(): a bash tool with plain results. Stateless: one instance serves any number of conversations.

import { hasVariable } from '../environment/command-environment.js'
import { checkEnvironmentOptions, type EnvironmentOptions } from '../environment/options.js'
import { describeError } from '../errors.js'
import { execProfile } from '../output/profile.js'
import { simplifyCommand } from '../output/simplify-command.js'
import { blankResult } from '../run/blank-result.js'
import type { RunResult } from '../run/build-result.js'
import { execution } from '../run/load-execution.js'
import type { BashEvent } from '../run/result.js'
import type { Protection } from '../sandbox/protections.js'
import type { ScratchOptions } from '../sandbox/scratch.js'
import { checkObject, invalidInput } from '../util/invalid-input.js'
import { notify } from '../util/listeners.js'
import { callMethods } from './call-methods.js'
import { checkedCall } from './checked-call.js'
import { misplacedField } from './context-fields.js'
import { displayBeforehand } from './display.js'
import { type ExecContext, type ResolvedExecContext, resolveExecContext } from './exec-context.js'
import { describeStartFailure, type ExecResult, execText, toExecResult } from './exec-result.js'
import { describeExecTool, type ExecInput, execSchema } from './exec-schema.js'
import { type ModeOptions, resolveForModes, restrictionOf } from './mode-options.js'
import { describeSafety, refuse, resolveSafety, type Safety, type SafetyOptions } from './safety.js'
import type { Tool } from './types.js'

export interface ExecToolOptions {
  /** The bash to use, an absolute path. Default `/bin/bash`. */
  shellPath?: string | undefined
  /**
   * What commands get of this process's environment. Default: all of it, and nothing else; `inherit` is `'all'` also
   * when only other fields are given.
   */
  env?: EnvironmentOptions | undefined
  /** Milliseconds, 1…86400000. Default 30000. */
  timeout?: number | undefined
  /** `'adopt'` lets processes live that a command leaves running, `'kill'`, the default in Restricted mode, ends them. */
  survivors?: 'adopt' | 'kill' | undefined
  /** In Restricted mode, a directory that the command can write to, see `RunOptions`. Default false. */
  scratch?: boolean | ScratchOptions | undefined
  /** In Restricted mode, protections without any of which commands are refused. Default: all but `'signals'`. */
  required?: readonly Protection[] | undefined
  /** What commands are checked against before they run; `false`: nothing. Default `true`: `safetyRules`. */
  safety?: boolean | SafetyOptions | undefined
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

export const execOptionNames = [
  'shellPath',
  'env',
  'timeout',
  'survivors',
  'termGraceMs',
  'scratch',
  'required',
  'safety',
] as const satisfies readonly (keyof ExecToolOptions)[]

/**
 * The `bash` tool `{command}` that gives `{stdout, stderr, exitCode, error?}`.
 * Source: REQ-EXEC-001 to REQ-EXEC-007 (docs/requirements.md).
 *
 * @throws {BashError} ERR_INVALID_INPUT for a wrong option
 */
export function createExecTool(options: ExecToolOptions = {}): ExecTool {
  const checked: ExecToolOptions = checkObject('options', options, execOptionNames, misplacedField)
  const { safety, ...runOptions } = checked
  const checks = resolveSafety(safety)
  const modeOptions = resolveExecOptions(runOptions)
  return {
    name,
    inputSchema: execSchema,
    description: (context) => {
      const { workingDir, sandbox } = resolveExecContext(context)
      const { timeoutMs } = modeOptions[sandbox]
      const restriction = restrictionOf(modeOptions, sandbox)
      return describeExecTool(workingDir, timeoutMs, restriction, describeSafety(checks))
    },
    toText: execText,
    ...callMethods<ExecContext | undefined, ResolvedExecContext, ExecResult>({
      resolveContext: resolveExecContext,
      call: async (input, getContext, context) =>
        toExecResult(
          await checkedCall({
            tool: name,
            schema: execSchema,
            input,
            context,
            display: displayBeforehand(modeOptions, getContext),
            run: ({ command }) => run(command, modeOptions, checks, getContext),
          }),
        ),
    }),
  }
}

/** Checked when the tool is made, and not at the first command. */
function resolveExecOptions(options: Omit<ExecToolOptions, 'safety'>): ModeOptions {
  const { shellPath = '/bin/bash', timeout = 30_000, env: given = {}, ...others } = options
  const env = checkEnvironmentOptions(given)
  const inherit = env.inherit ?? 'all'
  return resolveForModes(
    { ...others, shellPath, timeout, env: { ...env, inherit }, streams: 'separate' },
    execProfile,
  )
}

/** Never rejects: here it is still known which system call has failed. */
async function run(
  command: string,
  modeOptions: ModeOptions,
  safety: Safety,
  getContext: () => ResolvedExecContext,
): Promise<RunResult> {
  try {
    // Nothing to run is a slip of the caller; a success that printed nothing would hide it.
    if (command.trim() === '') throw invalidInput('command', 'must not be empty', command)
    const { workingDir, sandbox, cancel, onEvent } = getContext()
    const options = modeOptions[sandbox]
    const environment = options.environment.current()
    const { home } = environment
    const display = simplifyCommand(command, workingDir, home)
    const refused = await refuse(safety, {
      command,
      workingDir,
      home,
      sandbox,
      cancel,
      hasVariable: (name) => hasVariable(environment, options.scratch, name),
      terminal: false,
    })
    if (refused !== undefined) return { ...refused, display }
    notify(onEvent, { type: 'start', command, display })
    return await execution().execute(command, {
      ...options,
      cwd: workingDir,
      cancelSignal: cancel,
      onOutput: onEvent,
    })
  } catch (error) {
    const { code } = describeError(error)
    const display = displayBeforehand(modeOptions, getContext)(command)
    return {
      ...blankResult(command, 'error'),
      display,
      error: { code, message: describeStartFailure(error) },
    }
  }
}
