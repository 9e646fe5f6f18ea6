// `bashward jobs input --secret`: a person types what a program asks for, and nobody else gets to see it.

import { readFileSync } from 'node:fs'
import { BashError } from '../../../base/errors.js'
import type { Job } from '../../../commands/jobs/job.js'
import type { JobStore } from '../../../commands/jobs/store.js'
import { signalStatus } from '../../../commands/run/exit-status.js'
import { quoteName } from '../../../terminals/terminal/names.js'
import { maxSecretBytes } from '../../../terminals/terminal/secret.js'
import type { TerminalState } from '../../../terminals/terminal/state.js'
import { ExitStatus, UsageError } from '../command-line.js'
import { printJson, writeText } from '../stdio.js'
import { readSecret } from './read-secret.js'
import { describeState } from './status-row.js'

/** Characters of a command line. */
const maxCommand = 200

/**
 * @param signal ends it
 * @throws {UsageError} where there is no terminal
 * @throws {BashError} ERR_JOB_NOT_FOUND, ERR_JOB_NOT_RUNNING; ERR_TERMINAL when the job has no terminal, asks for no secret, or does not
 *   any more when it has been typed
 */
export async function typeSecret(
  { id, json }: { id: string; json: boolean },
  store: JobStore,
  signal: AbortSignal,
): Promise<number> {
  const missing = (['stdin', 'stderr'] as const).find((name) => !process[name].isTTY)
  if (missing !== undefined)
    throw new UsageError('bashward jobs', `--secret is typed on a terminal, and ${missing} is not one`)
  const terminal = store.open(id)
  try {
    const prompt = await terminal.state()
    if (prompt.asksSecret === undefined) {
      throw new BashError('ERR_TERMINAL', `${id} asks for no secret: ${describeState(prompt)}`)
    }
    await writeText(process.stderr, question(await store.wait(id, { timeoutMs: 0 }), prompt))
    const line = await readSecret(maxSecretBytes, signal)
    if (line === undefined) return signalStatus('SIGINT')
    try {
      if (line.isTooLong)
        throw new BashError('ERR_TERMINAL', `nothing was typed: a secret has at most ${maxSecretBytes} bytes`)
      await terminal.writeSecret(line.value, { prompt })
    } finally {
      line.wipe()
    }
    if (json) await printJson({ typed: true })
    return ExitStatus.success
  } finally {
    terminal.close()
  }
}

/** A program may have switched the echo off to ask for what is not its business: who it is decides. */
function question({ id, record }: Job, state: TerminalState): string {
  const { pid = 0, program = '', cursorLine, asksSecret } = state
  const asks = asksSecret === 'certain' ? 'asks' : 'seems to ask'
  return [
    `${quoteName(program)} ${asks} in ${id}: ${quoteName(cursorLine, maxCommand)}`,
    `  process ${pid}: ${quoteName(commandLineOf(pid) ?? program, maxCommand)}`,
    `  command of the job: ${quoteName(record?.command ?? '', maxCommand)}`,
    'Secret (not shown; Ctrl-C gives up): ',
  ].join('\n')
}

/** @returns undefined where it may not be read */
function commandLineOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim()
  } catch {
    return undefined
  }
}
