// `bashward jobs input`: types into the terminal of a job.

import type { JobStore } from '../../jobs/store.js'
import { ExitStatus } from '../command-line.js'
import type { JobsCall } from '../jobs-options.js'
import { printStatus } from '../status-lines.js'
import { printJson } from '../stdio.js'
import { typeSecret } from './secret-command.js'

type InputCall = Extract<JobsCall, { action: 'input' }>

/**
 * @param signal ends the typing of a secret
 * @throws {UsageError} where there is no terminal to type a secret on
 * @throws {BashError} as {@link JobTerminal.write}
 */
export async function typeIntoJob(call: InputCall, store: JobStore, signal: AbortSignal): Promise<number> {
  const { id, json, input } = call
  if ('isSecret' in input) return await typeSecret(id, json, store, signal)
  const terminal = store.open(id)
  try {
    const typed = await ('keys' in input
      ? terminal.keys(...input.keys)
      : terminal.write(input.text, { submit: input.submit }))
    if (json) await printJson(typed)
    else await printStatus(notesOf(typed), { isMidLine: false, style: 'yellow' })
    return ExitStatus.success
  } finally {
    terminal.close()
  }
}

/** Nothing is said of what the program will read soon. */
function notesOf({ queuedBytes, droppedBytes }: { queuedBytes: number; droppedBytes: number }): string[] {
  const notes: string[] = []
  if (queuedBytes > 0) notes.push(`[${queuedBytes} bytes wait until the program reads]`)
  if (droppedBytes > 0) notes.push(`[${droppedBytes} bytes that were typed before were dropped]`)
  return notes
}
