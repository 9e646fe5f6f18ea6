// `bashward jobs`: the background jobs of this user, also those of hosts that are gone.

import { BashError, describeError } from '../errors.js'
import type { JobOutput } from '../jobs/read.js'
import { JobStore } from '../jobs/store.js'
import { type Paint, paintReport } from './colors.js'
import { UsageError } from './command-line.js'
import { ExitStatus } from './exit-status.js'
import { jobsHelp } from './help.js'
import { printHelpOrVersion } from './help-or-version.js'
import { type JobsCall, parseJobsCall, wantsJson } from './jobs-options.js'
import { describeStatus, jobsTable, statusStyles } from './jobs-table.js'
import { printHint, printStatus } from './status-lines.js'
import { print, printJson, widthOf, writeText } from './stdio.js'

type Call<Action> = Extract<JobsCall, { action: Action }>

/**
 * @param args the words after `jobs`
 * @returns the exit status, when everything has been printed
 * @throws {UsageError}
 * @throws {BashError} ERR_JOB_DIRECTORY when the directory of the jobs cannot be read or trusted
 */
export async function jobsCommand(args: string[]): Promise<number> {
  // head(1) may have seen enough.
  process.stdout.on('error', () => {})
  try {
    const call = parseJobsCall(args)
    if (call === 'help' || call === 'version') return await printHelpOrVersion(call, jobsHelp)
    return await dispatch(call)
  } catch (error) {
    if (wantsJson(args)) await printJson({ status: 'error', error: describeFailure(error) })
    if (!BashError.isInstance(error) || error.code !== 'ERR_JOB_NOT_FOUND') throw error
    await complain(error.message)
    await printHint("Try 'bashward jobs'.")
    return ExitStatus.jobFailed
  }
}

async function dispatch(call: JobsCall): Promise<number> {
  const store = new JobStore()
  switch (call.action) {
    case 'list':
      return await list(call, store)
    case 'output':
      return await output(call, store)
    case 'kill':
      return await kill(call, store)
  }
}

async function list({ json }: Call<'list'>, store: JobStore): Promise<number> {
  const jobs = await store.list()
  if (json) await printJson(jobs)
  else if (jobs.length === 0) await print('No background jobs.\n')
  else {
    const { stdout } = process
    const paint: Paint = (style, text) => paintReport(stdout, style, text)
    await print(jobsTable(jobs, { now: Date.now(), width: widthOf(stdout), paint }))
  }
  return ExitStatus.success
}

async function kill({ id, json }: Call<'kill'>, store: JobStore): Promise<number> {
  const { status, error } = await store.kill(id)
  if (json) await printJson({ id, status, error })
  if (status === 'error') {
    await complain(error?.message ?? `${id} cannot be killed`)
    return ExitStatus.jobFailed
  }
  if (!json) await print(`${status === 'killed' ? `${id} killed` : error?.message}\n`)
  return ExitStatus.success
}

/** The most that one read gives, characters. */
const maxChars = 10_000_000
/** Bytes of one read: no more characters than that are in it. */
const pageBytes = 4 * 1024 * 1024

async function output(call: Call<'output'>, store: JobStore): Promise<number> {
  const { id, json, filter, offset } = call
  if (json) {
    await printJson(await store.read(id, { filter, offset, maxChars }))
    return ExitStatus.success
  }
  const { end, endsLine } = await printPages(call, store)
  const lines = [`[${describeStatus(end)}]`]
  if (end.unsearchedBytes > 0)
    lines.push(`[the filter ran out of time; go on with --offset ${end.nextOffset}]`)
  if (end.error !== undefined) lines.push(`[${end.error.message}]`)
  const isMidLine = process.stderr.isTTY && process.stdout.isTTY && !endsLine
  await printStatus(lines, { isMidLine, style: statusStyles[end.status] })
  return ExitStatus.success
}

/** Prints what the file has now; a job that prints for ever would never be at an end. */
async function printPages(
  { id, filter, offset }: Call<'output'>,
  store: JobStore,
): Promise<{ end: JobOutput; endsLine: boolean }> {
  const { outputBytes } = await store.get(id)
  let endsLine = true
  for (let at = offset; ; ) {
    const page = await store.read(id, { filter, offset: at, maxBytes: pageBytes, maxChars })
    const isWanted = await writeText(process.stdout, page.output)
    if (page.output !== '') endsLine = page.output.endsWith('\n')
    const isLast = at + pageBytes >= outputBytes && page.unsearchedBytes === 0
    if (isLast || !isWanted || page.nextOffset <= at) return { end: page, endsLine }
    at = page.nextOffset
  }
}

async function complain(message: string): Promise<void> {
  const { stderr } = process
  await writeText(stderr, `${paintReport(stderr, 'red', `bashward jobs: ${message}`)}\n`)
}

function describeFailure(error: unknown): { code: string; message: string } {
  return error instanceof UsageError
    ? { code: 'ERR_INVALID_INPUT', message: error.message }
    : describeError(error)
}
