// The bash tool for commands that have a terminal: each runs as a job, which a host types into. For adapters, not for models.

import type { TerminalSize } from '../engine/request.js'
import type { BashResult } from '../run/result.js'
import { bashSchema } from './bash-schema.js'
import { bashText } from './bash-text.js'
import { type BashTool, type BashToolOptions, bashOptionNames } from './bash-tool.js'
import { callMethods } from './call-methods.js'
import { type CommandTool, checkedCall } from './checked-call.js'
import { resolveContext } from './context.js'
import { runCall } from './run-call.js'
import { checkToolOptions, resolveForModes } from './tool-options.js'
import type { ToolContext } from './types.js'

/**
 * Of its input only `command` counts. A command that runs is `'background'`.
 *
 * @throws {BashError} ERR_INVALID_INPUT for a wrong option
 */
export function createTerminalTool(
  options: BashToolOptions,
  terminal: TerminalSize,
): Pick<BashTool, 'execute' | 'toText'> {
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
  return { execute, toText: bashText }
}
