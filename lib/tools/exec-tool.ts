// createExecTool(): a bash tool with plain results. Stateless: one instance serves any number of conversations.

import { resolveDirectory } from '../base/util/directories.js'
import { invalidInput } from '../base/util/invalid-input.js'
import type { InputOf } from '../base/util/schema/json-schema.js'
import { withStandard } from '../base/util/schema/standard-schema.js'
import type { TimeoutOption } from '../commands/run/command-options.js'
import type { BashEvent, BashResult } from '../commands/run/result.js'
import { describeTool, type Restriction } from '../guard/sandbox/description.js'
import type { Judgement } from '../guard/verdicts/judgement.js'
import { execProfile } from '../processes/output/profile.js'
import type { Call } from './call/call.js'
import { callMethods } from './call/call-methods.js'
import { type CommandTool, checkedCall, judgeMethod } from './call/checked-call.js'
import { runCall } from './call/run-call.js'
import { misplacedField, type ResolvedContext, resolveCommonFields } from './context.js'
import { describeStartFailure, type ExecResult, execText, toExecResult } from './exec-result.js'
import { resolveForModes, restrictionOf } from './modes.js'
import { describeRules } from './safety.js'
import { checkToolOptions, optionNames, type ToolOptions } from './tool-options.js'
import type { Tool, ToolContext } from './types.js'

export interface ExecToolOptions extends ToolOptions, TimeoutOption {}

export const execOptionNames = optionNames<ExecToolOptions>({
  normalizeOutput: false,
  saveOutput: false,
  errorLines: false,
  backgroundAfter: false,
  limits: false,
  timeouts: false,
  session: false,
  jobs: false,
  tty: false,
  maxJobOutputBytes: false,
})

const execSchema = withStandard({
  type: 'object',
  properties: {
    command: { type: 'string', minLength: 1, description: 'The bash command to execute' },
  },
  required: ['command'],
  additionalProperties: false,
})

type ExecSchema = typeof execSchema
export type ExecInput = InputOf<ExecSchema>

export interface ExecContext extends Omit<ToolContext<ExecResult>, 'workingDir' | 'session'> {
  /** Where commands run. Default: the process's own directory. */
  workingDir?: string | undefined
}

export interface ExecTool extends Tool<ExecInput, ExecResult> {
  /** @throws {BashError} for a context that cannot be used */
  description(context?: ExecContext): string
  /** Runs a call. Never rejects: what went wrong is the result's `error`. */
  execute(input: unknown, context?: ExecContext): Promise<ExecResult>
  /** The same, step by step. Breaking out of the loop kills the command. */
  stream(input: unknown, context?: ExecContext): AsyncIterable<BashEvent<ExecResult>>
  /** What the tool would decide about a call; nothing runs. Only a tool with `verdicts` has it. */
  judge?(input: unknown, context?: ExecContext): Promise<Judgement>
}

/**
 * The `bash` tool `{command}` that gives `{stdout, stderr, exitCode, error?}`.
 * Source: REQ-EXEC-001 to REQ-EXEC-007 (docs/requirements.md).
 *
 * @throws {BashError} ERR_INVALID_INPUT for a wrong option
 */
export function createExecTool(options: ExecToolOptions = {}): ExecTool {
  const { command, safety, verdicts, calls } = checkToolOptions(options, execOptionNames, misplacedField)
  const { shellPath = '/bin/bash', timeout = 30_000, env } = command
  const modes = resolveForModes(
    { ...command, shellPath, timeout, env: { ...env, inherit: env?.inherit ?? 'all' } },
    { ...(command.maxOutputChars === undefined && { output: execProfile }), separateStreams: true },
  )
  const tool: CommandTool<ExecSchema> = {
    isExact: true,
    name: 'bash',
    schema: execSchema,
    modes,
    safety,
    verdicts,
    calls,
    checkCommand: refuseBlank,
    describeFailure: describeStartFailure,
  }
  return {
    name: tool.name,
    inputSchema: execSchema,
    description: (context) => {
      const { workingDir, ...asked } = resolveExecContext(context)
      const restriction = restrictionOf(modes, asked)
      return describeExecTool(
        workingDir,
        timeout,
        restriction,
        describeRules(tool, asked),
        command.maxOutputChars,
      )
    },
    toText: execText,
    ...callMethods<ExecContext | undefined, ExecResult>(resolveExecContext, async (received) =>
      toExecResult(await checkedCall(tool, received, run)),
    ),
    ...judgeMethod(tool, resolveExecContext, callOf),
  }

  function callOf({ command }: ExecInput, context: ResolvedContext<never>): Call {
    return { ...context, tool, command, timeoutMs: timeout, background: false }
  }

  async function run(input: ExecInput, context: ResolvedContext<never>): Promise<BashResult> {
    return await runCall(callOf(input, context))
  }
}

/** Nothing to run is a slip of the caller; a success that printed nothing would hide it. */
function refuseBlank(command: string): void {
  if (command.trim() === '') throw invalidInput('command', 'must not be empty', command)
}

/** @throws {BashError} ERR_INVALID_INPUT naming the field; ERR_WORKING_DIR */
function resolveExecContext(context: ExecContext = {}): ResolvedContext<ExecResult> {
  const { workingDir = '.', session, ...common } = resolveCommonFields<ExecResult>(context)
  if (session !== undefined)
    throw invalidInput(
      'context.session',
      'belongs to the bash tool or the suite: the exec tool has none',
      session,
    )
  return { ...common, session, workingDir: resolveDirectory('context.workingDir', workingDir) }
}

/** @param timeoutMs milliseconds */
export function describeExecTool(
  workingDir: string,
  timeoutMs: number,
  restriction?: Restriction,
  refusals?: string,
  maxChars?: number,
): string {
  const kept = maxChars === undefined ? 'the first 1 MiB is' : `at most ${maxChars} characters are`
  const text = `Execute a bash command and return stdout/stderr

Commands are killed after ${timeoutMs / 1000}s. Of stdout and of stderr ${kept} returned.`
  return describeTool(text, workingDir, restriction, refusals)
}
