// `bashward jobs input`: types into the terminal of a job.

import type { JobStore } from '../../../commands/jobs/store.js'
import { ExitStatus } from '../command-line.js'
import type { Input } from '../jobs-options.js'
import { printStatus } from '../status-lines.js'
import { printJson } from '../stdio.js'

/** What is typed, and into which job. */
export interface TypeCall {
  id: string
  json: boolean
  input: Exclude<Input, { isSecret: true }>
}

/** @throws {BashError} as {@link JobTerminal.write} and {@link JobTerminal.keys} */
export async function typeIntoJob({ id, json, input }: TypeCall, store: JobStore): Promise<number> {
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
