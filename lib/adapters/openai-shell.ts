// The Shell of the OpenAI Agents SDK's shellTool: commands of the model's own shell tool, one after the other.

import type { Shell, ShellOutputResult } from '@openai/agents'
import { BoundedText } from '../output/bounded-text.js'
import { type ExecResult, execStatus } from '../tools/exec-result.js'
import { createExecTool, type ExecContext, type ExecToolOptions } from '../tools/exec-tool.js'

const defaultTimeoutMs = 120_000
const maxTimeoutMs = 86_400_000
/** Characters of the line that says what was left out. */
const noticeLength = 90

/**
 * A shell for `shellTool({ shell })`. After a timeout the remaining commands of a call are not run.
 *
 * @param context the conversation; the SDK gives a shell no signal, so its `cancel` is what ends a command
 * @param options of the exec tool. The environment is given without its secrets, and `timeout` is that of calls for which
 *   the model asks for none: 120000 ms by default
 * @throws {BashError} ERR_INVALID_INPUT
 */
export function openaiShell(context: ExecContext, options: ExecToolOptions = {}): Shell {
  const { timeout = defaultTimeoutMs, env, ...others } = options
  const toolFor = (timeoutMs: number) =>
    createExecTool({ ...others, timeout: timeoutMs, env: { inherit: 'filtered', ...env } })
  // What is wrong with the options is told now, and not to the model.
  toolFor(timeout).description(context)

  return {
    async run({ commands, timeoutMs = timeout, maxOutputLength }) {
      const tool = toolFor(Math.min(Math.max(Math.ceil(timeoutMs), 1), maxTimeoutMs))
      const output: ShellOutputResult[] = []
      for (const command of commands) {
        const entry = toOutput(await tool.execute({ command }, context), maxOutputLength)
        output.push(entry)
        if (entry.outcome.type === 'timeout') break
      }
      return maxOutputLength === undefined ? { output } : { output, maxOutputLength }
    },
  }
}

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
