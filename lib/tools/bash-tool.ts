// createBashTool(): the bash tool. Stateless: one instance serves any number of conversations.

import type { BashResult } from '../run/result.js'
import { callBash } from './bash-call.js'
import { type BashInput, type BashMode, bashSchema, describeBashTool, formatDuration } from './bash-schema.js'
import { bashText } from './bash-text.js'
import { callMethods } from './call-methods.js'
import { checkedCall } from './checked-call.js'
import { type ResolvedContext, resolveContext } from './context.js'
import { misplacedField } from './context-fields.js'
import { displayBeforehand } from './display.js'
import { resolveForModes, restrictionOf } from './mode-options.js'
import { describeSafety } from './safety.js'
import { checkToolOptions, type ToolOptions, toolOptionsBut } from './tool-options.js'
import type { Tool, ToolContext } from './types.js'

export const bashOptionNames = toolOptionsBut('timeout', 'session')

export interface BashToolOptions extends Pick<ToolOptions, (typeof bashOptionNames)[number]> {}

export type BashTool = Tool<BashInput, BashResult>

const name = 'bash'

/**
 * The `bash` tool `{command, mode?}`.
 *
 * @throws {BashError} ERR_INVALID_INPUT for a wrong option
 */
export function createBashTool(options: BashToolOptions = {}): BashTool {
  const { command, safety, timeouts, jobs } = checkToolOptions(options, bashOptionNames, misplacedField)
  const modeOptions = resolveForModes(command)
  const schema = bashSchema(timeouts)

  return {
    name,
    inputSchema: schema,
    description: (context) => {
      const { workingDir, sandbox, session } = resolveContext(context)
      const restriction = restrictionOf(modeOptions, sandbox)
      return describeBashTool(workingDir, restriction, describeSafety(safety), session !== undefined)
    },
    toText: bashText,
    ...callMethods<ToolContext, ResolvedContext, BashResult>({
      resolveContext,
      call: (input, getContext, context) =>
        checkedCall({
          tool: name,
          schema,
          input,
          context,
          display: displayBeforehand(modeOptions, getContext),
          async run({ command, mode = 'default' }) {
            const { workingDir, sandbox, owner, session, cancel, onEvent } = getContext()
            const background = mode === 'background'
            const timeoutMs = timeouts[mode]
            const moreTime = moreTimeThan(timeoutMs, timeouts)
            const place = { workingDir, owner, session, cancel, onEvent }
            const call = { command, ...place, background, timeoutMs, moreTime }
            return await callBash(call, { options: modeOptions[sandbox], jobs, safety })
          },
        }),
    }),
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
