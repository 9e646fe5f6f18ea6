// createBashTool(): the bash tool. Stateless: one instance serves any number of conversations.

import type { BackgroundAfterOption, LimitsOption, OutputOptions } from '../commands/run/command-options.js'
import type { BashResult } from '../commands/run/result.js'
import { redactOfJobs } from '../processes/environment/redact-option.js'
import {
  type BashInput,
  type BashMode,
  type BashSchema,
  bashSchema,
  describeBashTool,
  formatDuration,
} from './bash-schema.js'
import { bashText, resultText } from './bash-text.js'
import type { Call } from './call/call.js'
import { callMethods } from './call/call-methods.js'
import { type CommandInput, type CommandTool, checkedCall, judgeMethod } from './call/checked-call.js'
import { runCall } from './call/run-call.js'
import { misplacedField, type ResolvedContext, resolveContext } from './context.js'
import { startedBy, tellNews } from './job-news.js'
import { directoryFor, resolveForModes, restrictionOf } from './modes.js'
import { describeRules } from './safety.js'
import {
  type BackgroundOptions,
  checkToolOptions,
  optionNames,
  type TimeoutsOption,
  type ToolOptions,
} from './tool-options.js'
import type { Tool, ToolContext } from './types.js'

export interface BashToolOptions
  extends ToolOptions,
    BackgroundAfterOption,
    LimitsOption,
    OutputOptions,
    TimeoutsOption,
    BackgroundOptions {}

export const bashOptionNames = optionNames<BashToolOptions>({ timeout: false, session: false, tty: false })

export type BashTool = Tool<BashInput, BashResult>

/**
 * The `bash` tool `{command, mode?}`.
 *
 * @throws {BashError} ERR_INVALID_INPUT for a wrong option
 */
export function createBashTool(options: BashToolOptions = {}): BashTool {
  const { command, safety, verdicts, calls, timeouts, jobs } = checkToolOptions(
    options,
    bashOptionNames,
    misplacedField,
  )
  const schema = bashSchema(timeouts)
  const tool: CommandTool<BashSchema> = {
    name: 'bash',
    schema,
    modes: resolveForModes(command),
    safety,
    verdicts,
    calls,
    jobs,
  }
  const told = { store: jobs.store, redact: redactOfJobs(command.redact, command.env) }
  const callOf = (input: CommandInput<BashSchema>, context: ResolvedContext<never>): Call => {
    const { command, mode = 'default' } = input
    const timeoutMs = timeouts[mode]
    const moreTime = () => moreTimeThan(timeoutMs, timeouts)
    return { ...context, tool, command, timeoutMs, background: mode === 'background', moreTime }
  }
  return {
    name: tool.name,
    inputSchema: schema,
    description: (context) => {
      const resolved = resolveContext<never>(context)
      const { session } = resolved
      const restriction = restrictionOf(tool.modes, resolved, session)
      const workingDir = directoryFor(tool.modes, resolved)
      return describeBashTool(
        workingDir,
        restriction,
        describeRules(tool, resolved),
        session !== undefined,
        command.backgroundAfter,
      )
    },
    toText: command.maxOutputChars === undefined ? bashText : (result) => resultText(result, ''),
    ...callMethods<ToolContext, BashResult>(resolveContext, async (received) => {
      const result = await checkedCall(tool, received, (input, context) => runCall(callOf(input, context)))
      return await tellNews(result, received.context, told, startedBy(result))
    }),
    ...judgeMethod(tool, resolveContext<BashResult>, callOf),
  }
}

/** The modes that give a command more time. */
function moreTimeThan(
  timeoutMs: number,
  { slow, background }: Readonly<Record<BashMode, number>>,
): string | undefined {
  const modes: string[] = []
  if (slow > timeoutMs) modes.push(`mode="slow" (${formatDuration(slow)})`)
  if (background > timeoutMs) modes.push('mode="background"')
  return modes.length === 0 ? undefined : modes.join(' or ')
}
