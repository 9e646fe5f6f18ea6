// `bashward jobs screen`: what the terminal of a job shows.

import { BashError } from '../../../base/errors.js'
import { checkRedactJob } from '../../../commands/jobs/redaction.js'
import type { JobStore } from '../../../commands/jobs/store.js'
import { redactTokens } from '../../../processes/output/redact/redact-tokens.js'
import { screenState } from '../../../terminals/terminal/screen.js'
import type { TerminalState } from '../../../terminals/terminal/state.js'
import { ExitStatus } from '../command-line.js'
import type { JobsCall } from '../jobs-options.js'
import { describeStatus, statusStyles } from '../jobs-table.js'
import { printStatus } from '../status-lines.js'
import { print, printJson } from '../stdio.js'
import { describeState } from './status-row.js'

type ScreenCall = Extract<JobsCall, { action: 'screen' }>

/** @throws {BashError} ERR_JOB_NOT_FOUND; ERR_TERMINAL when the job has no terminal, or its screen cannot be drawn */
export async function printScreen({ id, json }: ScreenCall, store: JobStore): Promise<number> {
  const terminal = store.open(id)
  try {
    const screen = await terminal.screen()
    if ('unavailable' in screen) throw new BashError('ERR_TERMINAL', `${id}: ${screen.unavailable}`)
    const state = await terminal.state().catch(unlessEnded)
    const job = await store.wait(id, { timeoutMs: 0 })
    const lines = withoutSecrets(screen.lines)
    if (json) await printJson({ id, status: job.status, screen: { ...screen, lines }, state })
    else {
      await print(lines.map((line) => `${line}\n`).join(''))
      const doing = state === null ? '' : `; ${describeState(state)}`
      const status = `[${describeStatus(job)}; ${screenState(screen)}${doing}]`
      await printStatus([status], { isMidLine: false, style: statusStyles[job.status] })
    }
    return ExitStatus.success
  } finally {
    terminal.close()
  }
}

/** As in what `jobs output` prints. */
function withoutSecrets(lines: readonly string[]): string[] {
  const text = lines.join('\n')
  return redactTokens(checkRedactJob('redact', true)?.text(text) ?? text).split('\n')
}

function unlessEnded(error: unknown): TerminalState | null {
  if (BashError.isInstance(error) && error.code === 'ERR_JOB_NOT_RUNNING') return null
  throw error
}
