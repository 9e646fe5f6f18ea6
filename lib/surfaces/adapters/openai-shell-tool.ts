// The OpenAI Agents SDK's shellTool whose approvals are those of our verdicts.

import type { ShellAction, ShellTool } from '@openai/agents'
import { invalidInput } from '../../base/util/invalid-input.js'
import type { ExecContext, ExecToolOptions } from '../../tools/exec-tool.js'
import { shellFor } from './openai-shell.js'

export interface OpenaiShellToolOptions extends ExecToolOptions {
  /** As that of `shellTool`: answers at once. Default: what asks interrupts the run, until a person has answered. */
  onApproval?: ShellTool['onApproval'] | undefined
}

/** What a `shellTool` of this machine is. */
export type OpenaiShellTool = Extract<ShellTool, { shell: unknown }>

/**
 * The `shellTool` of a shell with verdicts. What asks needs the approval of the SDK; of a call of several commands the
 * strictest decides. What is denied, the shell itself rejects: the SDK's hook has no "no".
 *
 * @param context as that of `openaiShell`
 * @param options likewise, with `verdicts`
 * @throws {BashError} ERR_INVALID_INPUT
 */
export function openaiShellTool(context: ExecContext, options: OpenaiShellToolOptions): OpenaiShellTool {
  const { onApproval, ...others } = options
  const { judge, run } = shellFor(context, others)
  if (judge === undefined) {
    throw invalidInput('options.verdicts', 'must be given, for somebody to be asked', undefined)
  }
  /** Calls that needed no approval, as judged when they came in. */
  const unasked = new WeakSet<ShellAction>()
  const tool = {
    type: 'shell' as const,
    name: 'shell',
    environment: { type: 'local' as const },
    async needsApproval(_run: unknown, action: ShellAction) {
      const asks = (await judge(action.commands)) === 'ask'
      if (asks) unasked.delete(action)
      else unasked.add(action)
      return asks
    },
    ...(onApproval && { onApproval }),
  }
  // A shell is not told whether its call was approved, least of all in the process that goes on with a run. It is enough
  // that the SDK asks this object before it runs anything: so the shell cannot be had without its hook by copying the
  // object, nor the hook be replaced.
  const shell = { run: (action: ShellAction) => run(action, { approved: !unasked.has(action) }) }
  return Object.freeze(Object.defineProperty(tool, 'shell', { value: shell })) as typeof tool & {
    shell: typeof shell
  }
}
