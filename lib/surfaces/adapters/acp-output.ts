// What a terminal of an ACP client has printed: its end, of at most so many bytes.

import type { TerminalOutputResponse } from '@agentclientprotocol/sdk'
import type { ReadJobOptions } from '../../commands/jobs/read.js'
import type { JobStore } from '../../commands/jobs/store.js'
import { withoutImitations } from '../../processes/output/notices.js'
import { joinLines, shownOutput } from '../../tools/bash-text.js'
import { jobNotes } from './job-notes.js'

const defaultLimit = 1024 * 1024
/** An answer is one message, and an agent may well ask for all of it each second. */
const mostBytes = 8 * 1024 * 1024
/** Read before what is wanted, to begin with a whole line where there is one. */
const lead = 4096

/** @param limit bytes of output that are kept, as the agent asks for it */
export async function readTerminal(
  jobs: JobStore,
  id: string,
  limit = defaultLimit,
  options: Pick<ReadJobOptions, 'redact'> = {},
): Promise<TerminalOutputResponse> {
  const bytes = Math.min(limit, mostBytes)
  const { offset, droppedBytes, read } = await readEnd(jobs, id, bytes, options)
  const { text, cut } = endOf(offset === 0 ? shownOutput(read) : fromLineStart(shownOutput(read)), bytes)
  const { status, exitCode, signal } = read
  return {
    output: joinLines(withoutImitations(text), ...jobNotes(read)),
    truncated: cut || offset > 0 || read.truncated || droppedBytes > 0,
    ...(status !== 'running' && { exitStatus: { exitCode, signal } }),
  }
}

/** What comes meanwhile is left out, unless the job has ended with it: its end is told only with all that it has printed. */
async function readEnd(jobs: JobStore, id: string, bytes: number, options: Pick<ReadJobOptions, 'redact'>) {
  for (;;) {
    // Unlike get, it does not look where the job listens.
    const { status, outputBytes, droppedBytes, lostBytes } = await jobs.wait(id, { timeoutMs: 0 })
    const offset = Math.max(0, outputBytes - droppedBytes - lostBytes - bytes - lead)
    const read = await jobs.read(id, {
      ...options,
      offset,
      // A note takes the place of what was dropped.
      maxBytes: bytes + 2 * lead,
      maxChars: mostBytes + 2 * lead,
      normalizeOutput: true,
    })
    if (status !== 'running' || read.status === 'running') return { offset, droppedBytes, read }
  }
}

function fromLineStart(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 || end >= lead ? text : text.slice(end + 1)
}

/** The last bytes of a text, from a character on. */
function endOf(text: string, bytes: number): { text: string; cut: boolean } {
  const encoded = Buffer.from(text)
  if (encoded.length <= bytes) return { text, cut: false }
  let start = encoded.length - bytes
  while (start < encoded.length && ((encoded[start] ?? 0) & 0xc0) === 0x80) start++
  return { text: encoded.subarray(start).toString(), cut: true }
}
