// The Shell of the OpenAI Agents SDK's shellTool: commands of the model's own shell tool, one after the other.

import type { Shell, ShellAction, ShellOutputResult, ShellResult } from '@openai/agents'
import type { Decision } from '../../guard/verdicts/judgement.js'
import { BoundedText } from '../../processes/output/bounded-text.js'
import { type ExecResult, execStatus } from '../../tools/exec-result.js'
import {
  createExecTool,
  type ExecContext,
  type ExecTool,
  type ExecToolOptions,
} from '../../tools/exec-tool.js'
import { markApproved } from '../../tools/verdicts/approved.js'
import { type AdapterContext, callContext } from './adapter.js'

const defaultTimeoutMs = 120_000
const maxTimeoutMs = 86_400_000
/** Characters of the line that says what was left out. */
const noticeLength = 90

/**
 * A shell for `shellTool({ shell })`. After a timeout the remaining commands of a call are not run; with `verdicts`,
 * neither are those after one that was rejected, and none when one of them is denied.
 *
 * @param context the conversation; the SDK gives a shell no signal, so its `cancel` is what ends a command
 * @param options of the exec tool. The environment is given without its secrets, and `timeout` is that of calls for which
 *   the model asks for none: 120000 ms by default
 * @throws {BashError} ERR_INVALID_INPUT
 */
export function openaiShell(context: ExecContext, options: ExecToolOptions = {}): Shell {
  const { run } = shellFor(context, options)
  return { run: (action) => run(action, { approved: false }) }
}

export interface JudgingShell {
  /** Undefined: made without `verdicts`. Of several commands the strictest counts. Never rejects. */
  judge: ((commands: readonly string[]) => Promise<Decision>) | undefined
  run(action: ShellAction, how: { approved: boolean }): Promise<ShellResult>
}

/** @throws {BashError} ERR_INVALID_INPUT */
export function shellFor(context: ExecContext, options: ExecToolOptions): JudgingShell {
  const { timeout = defaultTimeoutMs, env, ...others } = options
  const toolFor = (timeoutMs: number) =>
    createExecTool({ ...others, timeout: timeoutMs, env: { inherit: 'filtered', ...env } })
  // What is wrong with the options is told now, and not to the model.
  const judging = toolFor(timeout)
  judging.description(context)

  return {
    judge: judging.judge && (async (commands) => strictest(await decisionsOn(judging, commands, context))),
    async run({ commands, timeoutMs = timeout, maxOutputLength }, { approved }) {
      const tool = toolFor(Math.min(Math.max(Math.ceil(timeoutMs), 1), maxTimeoutMs))
      const denied = (await decisionsOn(tool, commands, context)).indexOf('deny')
      const output: ShellOutputResult[] = []
      for (const [index, command] of commands.entries()) {
        if (index < denied) {
          output.push(notRun)
          continue
        }
        const call = callOf(context)
        if (approved) markApproved(call)
        const result = await tool.execute({ command }, call)
        output.push(toOutput(result, maxOutputLength))
        const status = execStatus(result)
        if (status === 'timed_out' || (status === 'rejected' && tool.judge !== undefined)) break
      }
      return maxOutputLength === undefined ? { output } : { output, maxOutputLength }
    },
  }
}

/** An object of its own, since it is what an approval is noted at. */
function callOf(context: ExecContext): ExecContext {
  const conversation = context as AdapterContext<ExecResult>
  return callContext(conversation, { toolCallId: undefined, signal: undefined }).context
}

const notRun: ShellOutputResult = {
  stdout: '',
  stderr: '[not run: another command of this call is denied]\n',
  outcome: { type: 'exit', exitCode: null },
}

/** Empty for a tool without verdicts. */
async function decisionsOn(
  tool: ExecTool,
  commands: readonly string[],
  context: ExecContext,
): Promise<Decision[]> {
  const decisions: Decision[] = []
  if (tool.judge === undefined) return decisions
  for (const command of commands) {
    // A call that cannot run: the tool says why when its turn comes.
    const judgement = await tool.judge({ command }, context).catch(() => undefined)
    decisions.push(judgement?.decision ?? 'allow')
  }
  return decisions
}

const strictest = (decisions: readonly Decision[]): Decision =>
  (['deny', 'ask'] as const).find((decision) => decisions.includes(decision)) ?? 'allow'

function toOutput(result: ExecResult, maxLength?: number): ShellOutputResult {
  const { stdout, stderr, exitCode, error } = result
  const isTimeout = execStatus(result) === 'timed_out'
  const note = error === undefined || isTimeout ? '' : `[${error}]\n`
  return {
    stdout: bounded(stdout, maxLength),
    stderr: bounded(stderr + note, maxLength),
    outcome: isTimeout ? { type: 'timeout' } : { type: 'exit', exitCode },
  }
}

function bounded(whole: string, maxLength = Number.POSITIVE_INFINITY): string {
  if (whole.length <= maxLength) return whole
  const text = new BoundedText(Math.max(maxLength - noticeLength, 2))
  text.add(whole)
  return text.result().text
}
