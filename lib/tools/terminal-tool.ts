// The bash tool for commands that have a terminal: each runs as a job, which a host types into. For adapters, not for models.

import type { Job } from '../commands/jobs/job.js'
import type { BashResult } from '../commands/run/result.js'
import type { TerminalSize } from '../processes/engine/request.js'
import { redactOfJobs } from '../processes/environment/redact-option.js'
import type { JobTerminal } from '../terminals/terminal/job-terminal.js'
import { bashSchema } from './bash-schema.js'
import { bashText } from './bash-text.js'
import { type BashTool, type BashToolOptions, bashOptionNames } from './bash-tool.js'
import { callMethods } from './call/call-methods.js'
import { type CommandTool, checkedCall } from './call/checked-call.js'
import { runCall } from './call/run-call.js'
import { resolveContext } from './context.js'
import { resolveForModes } from './modes.js'
import { checkToolOptions } from './tool-options.js'
import { Guard, type Guarded } from './tty/guard.js'
import type { Typing } from './tty/typing.js'
import type { ToolContext } from './types.js'

export interface TerminalTool extends Pick<BashTool, 'execute' | 'toText'> {
  /**
   * Whether something may be typed into the terminal of a command of the tool: into a shell what would run as a command, and
   * with `verdicts` what nobody is asked about or somebody has approved; never an answer to a question for a secret.
   *
   * @throws {BashError} ERR_TERMINAL when another program reads it by then
   */
  permit(job: Job, terminal: JobTerminal, typing: Typing, context: ToolContext): Promise<Guarded>
}

/**
 * Of its input only `command` counts. A command that runs is `'background'`.
 *
 * @throws {BashError} ERR_INVALID_INPUT for a wrong option
 */
export function createTerminalTool(options: BashToolOptions, terminal: TerminalSize): TerminalTool {
  const { command, safety, verdicts, calls, timeouts, jobs } = checkToolOptions(options, bashOptionNames)
  const schema = bashSchema(timeouts)
  const modes = resolveForModes(command, {}, terminal)
  const tool: CommandTool<typeof schema> = { name: 'bash', schema, modes, safety, verdicts, calls, jobs }
  const { execute } = callMethods<ToolContext, BashResult>(resolveContext, (received) =>
    checkedCall(tool, received, (input, context) =>
      runCall({
        ...context,
        tool,
        command: input.command,
        timeoutMs: timeouts.background,
        background: true,
      }),
    ),
  )
  const guarding = { modes, safety, verdicts, redact: redactOfJobs(command.redact, command.env) }
  return {
    execute,
    toText: bashText,
    permit: async (job, terminal, typing, context) =>
      await new Guard(guarding, job, terminal, typing).permit(
        await terminal.state(),
        resolveContext<never>(context),
      ),
  }
}
