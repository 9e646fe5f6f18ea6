// `bashward jobs output`: what a job has printed, and with --follow what it prints until it ends.

import { listeningText } from '../../commands/jobs/listening/socket.js'
import type { JobOutput } from '../../commands/jobs/read.js'
import type { JobStore } from '../../commands/jobs/store.js'
import { heldText } from '../../tools/bash-text.js'
import { sandboxNotes } from '../../tools/sandbox-notes.js'
import { ExitStatus } from './command-line.js'
import type { JobsCall } from './jobs-options.js'
import { describeStatus, statusStyles } from './jobs-table.js'
import { printStatus } from './status-lines.js'
import { printJson, writeText } from './stdio.js'

type OutputCall = Extract<JobsCall, { action: 'output' }>
/** With how its output is read. */
type AskedCall = OutputCall & { normalizeOutput: boolean }

interface Printed {
  /** The last page. */
  end: JobOutput
  /** Whether what was printed ends with a line break. */
  endsLine: boolean
  /** Whether anybody still reads. */
  isWanted: boolean
}

/** The most that one read gives, characters. */
const maxChars = 10_000_000
/** Bytes of one read: no more characters than that are in it. */
const pageBytes = 4 * 1024 * 1024
/** Between two looks at a job that is followed, milliseconds. Its end is seen sooner. */
const followMs = 200

/**
 * @param signal ends the following, not the job
 * @throws the reason of `signal`
 */
export async function printOutput(call: OutputCall, store: JobStore, signal: AbortSignal): Promise<number> {
  const { id, json, filter, offset, isFollowed } = call
  // What a program sends to a terminal would act on the reader's: set its title, fill its clipboard, make it answer.
  const { record } = await store.wait(id, { timeoutMs: 0 })
  const normalizeOutput = record?.terminal !== undefined
  if (json) {
    if (isFollowed) await store.wait(id, { signal })
    await printJson(await store.read(id, { filter, offset, maxChars, normalizeOutput }))
    return ExitStatus.success
  }
  const asked = { ...call, normalizeOutput }
  const { end, endsLine } = await (isFollowed ? follow(asked, store, signal) : printPages(asked, store))
  const lines = [`[${describeStatus(end)}]`]
  if (end.unsearchedBytes > 0)
    lines.push(`[the filter ran out of time; go on with --offset ${end.nextOffset}]`)
  if (end.heldBytes !== undefined) lines.push(heldText(end))
  const listening = end.status === 'running' ? listeningText((await store.get(id)).listening) : ''
  if (listening !== '') lines.push(listening)
  lines.push(...sandboxNotes(end))
  if (end.error !== undefined) lines.push(`[${end.error.message}]`)
  const isMidLine = process.stderr.isTTY && process.stdout.isTTY && !endsLine
  await printStatus(lines, { isMidLine, style: statusStyles[end.status] })
  return ExitStatus.success
}

/**
 * Prints what the file has now; a job that prints for ever would never be at an end. Of one that ends meanwhile it prints
 * all.
 *
 * @param onlyLines leaves out a line that a job has begun and not ended: a filter looks at it again
 */
async function printPages(
  { id, filter, offset, normalizeOutput }: AskedCall,
  store: JobStore,
  onlyLines = false,
): Promise<Printed> {
  // Unlike get, it does not look where the job listens.
  const { status, outputBytes } = await store.wait(id, { timeoutMs: 0 })
  let endsLine = true
  for (let at = offset; ; ) {
    const end = await store.read(id, { filter, offset: at, maxBytes: pageBytes, maxChars, normalizeOutput })
    const isBegun = onlyLines && end.status === 'running'
    const text = isBegun ? end.output.slice(0, end.output.lastIndexOf('\n') + 1) : end.output
    const isWanted = await writeText(process.stdout, text)
    if (text !== '') endsLine = text.endsWith('\n')
    // Of a job that has ended meanwhile there may be more, and its end is told only behind all of it.
    const isSize = status !== 'running' || end.status === 'running'
    const isLast = isSize && at + pageBytes >= outputBytes && end.unsearchedBytes === 0
    if (isLast || !isWanted || end.nextOffset <= at) return { end, endsLine, isWanted }
    at = end.nextOffset
  }
}

/** Prints until the job has ended and nothing more is there. */
async function follow(call: AskedCall, store: JobStore, signal: AbortSignal): Promise<Printed> {
  let endsLine = true
  for (let { offset } = call; ; ) {
    const printed = await printPages({ ...call, offset }, store, call.filter !== undefined)
    const { end, isWanted } = printed
    signal.throwIfAborted()
    if (end.nextOffset > offset) endsLine = printed.endsLine
    const isOver = end.status !== 'running' && end.nextOffset <= offset
    if (isOver || !isWanted) return { end, endsLine, isWanted }
    offset = end.nextOffset
    if (end.status === 'running') await store.wait(call.id, { timeoutMs: followMs, signal })
  }
}
