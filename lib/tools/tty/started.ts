// The result of a command that was started in a terminal: what it shows once it waits for input, or how it has ended.

import type { JobStore } from '../../commands/jobs/store.js'
import { type BashResult, type BashStatus, blankResult } from '../../commands/run/result.js'
import { joinLines, resultText } from '../bash-text.js'
import type { Call } from '../call/call.js'
import { loginNotes } from '../login-note.js'
import { defaultInputWaitMs, type ToolNames } from './schemas.js'
import type { SeenOutput } from './seen.js'
import { terminalLines } from './state-line.js'
import { lookAtTerminal, type TerminalView, type ViewOptions } from './view.js'
import { viewText } from './view-text.js'

export interface StartedParts extends Pick<ViewOptions, 'maxChars' | 'redact' | 'explain' | 'questions'> {
  store: () => JobStore
  seen: SeenOutput
  longestWaitMs: number
}

const statuses: Record<Exclude<TerminalView['status'], 'running'>, BashStatus> = {
  completed: 'completed',
  failed: 'failed',
  killed: 'failed',
  timed_out: 'timed_out',
  lost: 'error',
}

/**
 * @param started that of starting it
 * @param atOnce whether the call waits for nothing
 */
export async function showStarted(
  { store, seen, longestWaitMs, maxChars, redact, explain, questions }: StartedParts,
  started: BashResult,
  { command, sandbox, cancel: signal, timeoutMs }: Call,
  atOnce: boolean,
): Promise<BashResult> {
  const { status, jobId } = started
  if (status !== 'background' || jobId === undefined) return started
  const jobs = store()
  const terminal = jobs.open(jobId)
  const waitMs = atOnce ? 0 : Math.min(defaultInputWaitMs, longestWaitMs)
  try {
    const options = { from: 0, waitMs, screen: false, maxChars, redact, explain, signal, questions }
    const view = await lookAtTerminal(jobs, jobId, terminal, options)
    seen.set(jobId, view.nextOffset)
    return withView(started, view, timeoutMs)
  } catch (error) {
    // Nobody would learn of it.
    await jobs.kill(jobId)
    if (signal?.aborted !== true) throw error
    return { ...blankResult(command, 'cancelled', sandbox), display: started.display }
  } finally {
    terminal.close()
  }
}

function withView(started: BashResult, view: TerminalView, timeoutMs: number): BashResult {
  const { status, droppedBytes, unsearchedBytes, heldBytes, error, ...fields } = view
  if (status === 'running') return { ...started, ...fields }
  const { jobId, outputFile, pid, pgid, ...others } = started
  return {
    ...others,
    ...fields,
    status: statuses[status],
    // To read what was cut.
    ...(view.truncated && jobId !== undefined && { jobId }),
    ...(status === 'timed_out' && { timeoutMs }),
    ...(error !== undefined && { error }),
  }
}

/** @returns undefined for a result that is not of a terminal */
export function startedText(result: BashResult, names: ToolNames): string | undefined {
  const { status, jobId, nextOffset, truncated } = result
  if (nextOffset === undefined) return undefined
  const { input, output, kill } = names
  if (status !== 'background') {
    const rest = `[to read what was left out: ${output} of ${jobId} with a filter, or an offset below ${nextOffset}]`
    return joinLines(
      resultText(result, ''),
      truncated && jobId !== undefined ? rest : '',
      ...terminalLines(result),
    )
  }
  return joinLines(
    `<bash_id>${jobId}</bash_id>`,
    `<reminder>To type: ${input}. To read its output: ${output}. To stop: ${kill}</reminder>`,
    ...loginNotes(result),
    viewText({ ...result, nextOffset, status: 'running' }, names),
  )
}
