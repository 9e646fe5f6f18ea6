// createExecTool(): a bash tool with plain results. Stateless: one instance serves any number of conversations.

import { hasVariable } from '../environment/command-environment.js'
import { describeError } from '../errors.js'
import { execProfile } from '../output/profile.js'
import { simplifyCommand } from '../output/simplify-command.js'
import { blankResult } from '../run/blank-result.js'
import type { RunResult } from '../run/build-result.js'
import { execution } from '../run/load-execution.js'
import type { BashEvent } from '../run/result.js'
import { invalidInput } from '../util/invalid-input.js'
import { notify } from '../util/listeners.js'
import { callMethods } from './call-methods.js'
import { checkedCall } from './checked-call.js'
import { misplacedField } from './context-fields.js'
import { displayBeforehand } from './display.js'
import { type ExecContext, type ResolvedExecContext, resolveExecContext } from './exec-context.js'
import { describeStartFailure, type ExecResult, execText, toExecResult } from './exec-result.js'
import { describeExecTool, type ExecInput, execSchema } from './exec-schema.js'
import { type ModeOptions, resolveForModes, restrictionOf } from './mode-options.js'
import { describeSafety, refuse, type Safety } from './safety.js'
import { checkToolOptions, type ToolOptions, toolOptionsBut } from './tool-options.js'
import type { Tool } from './types.js'

export const execOptionNames = toolOptionsBut(
  'normalizeOutput',
  'saveOutput',
  'limits',
  'timeouts',
  'session',
  'jobs',
  'maxJobOutputBytes',
)

export interface ExecToolOptions extends Pick<ToolOptions, (typeof execOptionNames)[number]> {}

export interface ExecTool extends Tool<ExecInput, ExecResult> {
  /** @throws {BashError} for a context that cannot be used */
  description(context?: ExecContext): string
  /** Runs a call. Never rejects: what went wrong is the result's `error`. */
  execute(input: unknown, context?: ExecContext): Promise<ExecResult>
  /** The same, step by step. Breaking out of the loop kills the command. */
  stream(input: unknown, context?: ExecContext): AsyncIterable<BashEvent<ExecResult>>
}

const name = 'bash'

/**
 * The `bash` tool `{command}` that gives `{stdout, stderr, exitCode, error?}`.
 * Source: REQ-EXEC-001 to REQ-EXEC-007 (docs/requirements.md).
 *
 * @throws {BashError} ERR_INVALID_INPUT for a wrong option
 */
export function createExecTool(options: ExecToolOptions = {}): ExecTool {
  const { command, safety } = checkToolOptions(options, execOptionNames, misplacedField)
  const { shellPath = '/bin/bash', timeout = 30_000, env } = command
  const modeOptions = resolveForModes(
    { ...command, shellPath, timeout, env: { ...env, inherit: env?.inherit ?? 'all' } },
    { output: execProfile, separateStreams: true },
  )
  return {
    name,
    inputSchema: execSchema,
    description: (context) => {
      const { workingDir, sandbox } = resolveExecContext(context)
      const { timeoutMs } = modeOptions[sandbox]
      const restriction = restrictionOf(modeOptions, sandbox)
      return describeExecTool(workingDir, timeoutMs, restriction, describeSafety(safety))
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
            run: ({ command }) => run(command, modeOptions, safety, getContext),
          }),
        ),
    }),
  }
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
