// `bashward jobs`: the background jobs of this user, also those of hosts that are gone.

import { BashError, describeError } from '../../base/errors.js'
import { listeningText } from '../../commands/jobs/listening/socket.js'
import { JobStore } from '../../commands/jobs/store.js'
import { nameOf } from '../../terminals/explain/waiting-for.js'
import { sandboxNotes } from '../../tools/sandbox-notes.js'
import { Cancellation } from './cancellation.js'
import { type Paint, paintReport } from './colors.js'
import { ExitStatus, UsageError } from './command-line.js'
import { jobsHelp } from './help/jobs.js'
import { printHelpOrVersion } from './help/print.js'
import { jobExitStatusOf } from './job-exit-status.js'
import { type JobsCall, parseJobsCall, wantsJson } from './jobs-options.js'
import { printOutput } from './jobs-output.js'
import { describeStatus, jobsTable } from './jobs-table.js'
import { watchJobs } from './jobs-watch.js'
import { inOptionNames } from './option-names.js'
import { printHint, printStatus } from './status-lines.js'
import { print, printJson, widthOf, writeText } from './stdio.js'
import { terminalCommands } from './terminal-commands.js'

type Call<Action> = Extract<JobsCall, { action: Action }>

/**
 * @param args the words after `jobs`
 * @returns the exit status, when everything has been printed
 * @throws {UsageError}
 * @throws {BashError} ERR_JOB_DIRECTORY when the directory of the jobs cannot be read or trusted
 */
export async function jobsCommand(args: string[]): Promise<number> {
  let notFound: number = ExitStatus.jobFailed
  try {
    const call = parseJobsCall(args)
    if (call === 'help' || call === 'version') return await printHelpOrVersion(call, jobsHelp)
    // Of a wait, 1 is what the job's command has ended with.
    if (call.action === 'wait') notFound = ExitStatus.toolFailed
    return await dispatch(call)
  } catch (error) {
    if (wantsJson(args)) await printJson({ status: 'error', error: describeFailure(error) })
    if (!BashError.isInstance(error) || !areOfJob.has(error.code)) throw error
    await complain(inOptionNames(error.message))
    if (error.code === 'ERR_JOB_NOT_FOUND') await printHint("Try 'bashward jobs'.")
    return notFound
  }
}

/** What is wrong with the job, and not with the program or its call. */
const areOfJob: ReadonlySet<string> = new Set(['ERR_JOB_NOT_FOUND', 'ERR_JOB_NOT_RUNNING', 'ERR_TERMINAL'])

async function dispatch(call: JobsCall): Promise<number> {
  const store = new JobStore()
  switch (call.action) {
    case 'list':
      return await list(call, store)
    case 'output':
      return await untilSignalled((signal) => printOutput(call, store, signal))
    case 'wait':
      return await untilSignalled((signal) => wait(call, store, signal))
    case 'attach':
      return await terminalCommands().attachToJob(call, store)
    case 'screen':
      return await terminalCommands().printScreen(call, store)
    case 'input':
      return await input(call, store)
    case 'explain':
      return await explain(call, store)
    case 'watch':
      return await untilSignalled((signal) => watchJobs(call, store, signal))
    case 'kill':
      return await kill(call, store)
    case 'clean':
      return await clean(call)
  }
}

/** Ctrl-C ends what waits for a job; the job is in a session of its own, and goes on. */
async function untilSignalled(act: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const cancellation = new Cancellation()
  const stopListening = cancellation.listenToSignals()
  try {
    return await act(cancellation.signal)
  } catch (error) {
    const { exitStatus } = cancellation
    if (exitStatus === undefined) throw error
    // A terminal shows ^C where the cursor was.
    if (process.stderr.isTTY) await writeText(process.stderr, '\n')
    return exitStatus
  } finally {
    stopListening()
  }
}

async function list({ json, isRunning }: Call<'list'>, store: JobStore): Promise<number> {
  const jobs = (await store.list()).filter(({ status }) => !isRunning || status === 'running')
  if (json) await printJson(jobs)
  else if (jobs.length === 0) await print(`No ${isRunning ? 'running ' : ''}background jobs.\n`)
  else {
    const { stdout } = process
    const paint: Paint = (style, text) => paintReport(stdout, style, text)
    await print(jobsTable(jobs, { now: Date.now(), width: widthOf(stdout), paint }))
    const servers = jobs.filter(({ listening }) => listening !== undefined)
    await print(servers.map(({ id, listening }) => `${id} ${listeningText(listening)}\n`).join(''))
    const notes = jobs.flatMap((job) => sandboxNotes(job).map((note) => `${job.id} ${note}`))
    await print(notes.map((note) => `${paint('yellow', note)}\n`).join(''))
  }
  return ExitStatus.success
}

/** One with a terminal may wait for input, which nobody would give it meanwhile. */
async function wait(call: Call<'wait'>, store: JobStore, signal: AbortSignal): Promise<number> {
  const { id, json, timeoutMs } = call
  const deadline = Date.now() + (timeoutMs ?? Number.POSITIVE_INFINITY)
  const first = await store.wait(id, { timeoutMs: 0, signal })
  if (first.status === 'running' && first.record?.terminal !== undefined) {
    const { describeState, waitForInput } = terminalCommands()
    const state = await waitForInput(id, store, timeoutMs, signal)
    if (state !== undefined) {
      if (json) await printJson({ ...first, state })
      else await print(`${id} ${describeState(state)}\n`)
      return ExitStatus.waitsForInput
    }
  }
  const left = timeoutMs === undefined ? undefined : Math.max(0, deadline - Date.now())
  const job = await store.wait(id, { timeoutMs: left, signal })
  if (json) await printJson(job)
  else {
    await print(`${id} ${describeStatus(job)}\n`)
    await printStatus(sandboxNotes(job), { isMidLine: false, style: 'yellow' })
  }
  return job.status === 'running' ? ExitStatus.stillRuns : jobExitStatusOf(job)
}

async function input({ id, json, input }: Call<'input'>, store: JobStore): Promise<number> {
  const { typeIntoJob, typeSecret } = terminalCommands()
  if (!('isSecret' in input)) return await typeIntoJob({ id, json, input }, store)
  return await untilSignalled((signal) => typeSecret({ id, json }, store, signal))
}

async function explain({ id, json }: Call<'explain'>, store: JobStore): Promise<number> {
  const waiting = await store.explain(id)
  if (json) await printJson(waiting)
  else if (waiting.length > 0) await print(waiting.map((each) => `${nameOf(each)}: ${each.text}\n`).join(''))
  else await print(`${id} is not running: ${describeStatus(await store.get(id))}\n`)
  return ExitStatus.success
}

async function clean({ json, isAll }: Call<'clean'>): Promise<number> {
  const removed = await new JobStore(isAll ? { maxJobs: 0 } : {}).cleanUp()
  if (json) await printJson({ removed })
  else await print(removed.map((id) => `${id} removed\n`).join('') || 'Nothing to remove.\n')
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

async function complain(message: string): Promise<void> {
  const { stderr } = process
  await writeText(stderr, `${paintReport(stderr, 'red', `bashward jobs: ${message}`)}\n`)
}

function describeFailure(error: unknown): { code: string; message: string } {
  return error instanceof UsageError
    ? { code: 'ERR_INVALID_INPUT', message: error.message }
    : describeError(error)
}
