// What the adapters' approval hooks share: what a tool decides of a call, before its framework asks a person. None of it
// depends on a framework.

import { checkFlag, checkObject, invalidInput } from '../../base/util/invalid-input.js'
import type { Judgement } from '../../guard/verdicts/judgement.js'
import type { Tool, ToolContext } from '../../tools/types.js'
import { markApproved } from '../../tools/verdicts/approved.js'
import { type AdapterContext, callContext } from './adapter.js'

export interface ApprovalOptions {
  /**
   * Whether the framework asks a person what the tool's verdicts ask, for tools made with `verdicts`. A call runs only if
   * the framework says of that very call that a person has approved it; of others, the tool's own `approve` decides.
   * Default false.
   */
  approval?: boolean | undefined
}

/** What the tool decides of a call; undefined for one that cannot run anyway, of which the tool itself says why. */
export type Judge = (input: unknown, toolCallId: string | undefined) => Promise<Judgement | undefined>

/**
 * @returns undefined when the framework is not to ask
 * @throws {BashError} ERR_INVALID_INPUT for a wrong option, and for a tool that would never ask
 */
export function judgeFor<Input, Result>(
  tool: Tool<Input, Result>,
  context: AdapterContext<Result> | undefined,
  options: ApprovalOptions | undefined,
): Judge | undefined {
  const { approval } = options === undefined ? {} : checkObject('options', options, ['approval'])
  return checkFlag('options.approval', approval) ? judgeOf(tool, context) : undefined
}

/** @throws {BashError} ERR_INVALID_INPUT for a tool without verdicts: it would run everything unasked */
export function judgeOf<Input, Result>(
  tool: Tool<Input, Result>,
  context: AdapterContext<Result> | undefined,
): Judge {
  if (tool.judge === undefined) {
    throw invalidInput('tool', 'must be made with the option verdicts, for somebody to be asked', tool.name)
  }
  return async (input, toolCallId) => {
    try {
      const call = callContext(context, { toolCallId, signal: undefined })
      return await tool.judge?.(input, call.context as ToolContext<Result>)
    } catch {
      // The call is not marked as approved: the tool judges it once more, and says what is wrong with it.
      return undefined
    }
  }
}

/** What the model is told: with a judge, that a person is asked. */
export function describe<Input, Result>(
  tool: Tool<Input, Result>,
  context: AdapterContext<Result>,
  judge: Judge | undefined,
): string {
  if (judge === undefined) return tool.description(context)
  const asked = callContext(context, { toolCallId: undefined, signal: undefined }).context
  markApproved(asked)
  return tool.description(asked)
}

/** What a person reads, or the model of a call that is denied: the strictest first. */
export const reasonOf = ({ reasons }: Judgement): string => reasons.map(({ message }) => message).join('; ')
