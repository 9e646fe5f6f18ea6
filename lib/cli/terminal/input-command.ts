// `bashward jobs input`: types into the terminal of a job.

import type { JobStore } from '../../jobs/store.js'
import { ExitStatus } from '../command-line.js'
import type { JobsCall } from '../jobs-options.js'
import { printStatus } from '../status-lines.js'
import { printJson } from '../stdio.js'

type InputCall = Extract<JobsCall, { action: 'input' }>

/** @throws {BashError} as {@link JobTerminal.write} */
export async function typeIntoJob(call: InputCall, store: JobStore): Promise<number> {
  const { id, json, text, keys, submit } = call
  const terminal = store.open(id)
  try {
    const typed = await (keys === undefined ? terminal.write(text, { submit }) : terminal.keys(...keys))
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
