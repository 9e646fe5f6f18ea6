// BashOutput: what a background command has printed so far, when it is worth a look; or which there are.

import type { WaitingFor } from '../../explain/waiting-for.js'
import type { ListeningSocket } from '../../jobs/listening/socket.js'
import type { JobOutput, ReadJobOptions } from '../../jobs/read.js'
import type { JobStore } from '../../jobs/store.js'
import type { WaitedJob } from '../../jobs/wait.js'
import { suiteMaxCharacters } from '../../output/profile.js'
import { invalidInput } from '../../util/invalid-input.js'
import { once } from '../../util/lazy.js'
import { part } from '../../util/load-part.js'
import type { BashOutputTerminals } from '../tty/tools.js'
import type { TerminalFields } from '../tty/view.js'
import type { Tool } from '../types.js'
import type * as Told from './bash-output-told.js'
import type { ListedJob } from './job-list.js'
import { errorText, jobTool } from './job-tool.js'
import { type BashOutputInput, bashOutputSchema, defaultWaitMs, maxWaitMs } from './schemas.js'

/** The accumulated output, the same for every reader. */
export interface BashOutputResult extends Omit<JobOutput, 'status'>, TerminalFields {
  /**
   * `'listed'`: no `bash_id` was given, and `jobs` has those of the conversation; `'error'`: there is no such job, or it
   * cannot be read: `error` says why.
   */
  status: JobOutput['status'] | 'listed' | 'error'
  /** Where the processes of a job that runs listen on TCP; none: nowhere. */
  listening?: readonly ListeningSocket[]
  /** Of a call with `wait_ms` or `until`: milliseconds that it has waited. */
  waitedMs?: number
  /** Of a call with `until`: the line that it has matched, or the first 500 characters of that; null: no line has. */
  matched?: string | null
  /** Those that run first, then the latest. At most 20. */
  jobs?: readonly ListedJob[]
  /** How many more there are. */
  moreJobs?: number
  /** Of a job that runs and has printed nothing since it was last read: what its processes wait for, or do. */
  waitingFor?: WaitingFor[]
  /** As that of Bash. */
  news?: string[]
}

export type BashOutputTool = Tool<BashOutputInput, BashOutputResult>

export interface BashOutputOptions {
  /** Milliseconds that a call waits at most, whatever it asks for. */
  longestWaitMs?: number
  /** As the tool that starts the commands has it. */
  redact?: ReadJobOptions['redact']
  /** Whether it tells what a job that prints nothing waits for. */
  explain?: boolean
  /** Characters of output that a call gives. */
  maxChars?: number
  /** Where commands can have terminals. */
  terminals?: BashOutputTerminals | undefined
}

const told = part((): typeof Told => require('./bash-output-told.js'))

export function createBashOutputTool(
  store: () => JobStore,
  {
    longestWaitMs = maxWaitMs,
    redact = true,
    explain = true,
    maxChars = suiteMaxCharacters,
    terminals,
  }: BashOutputOptions = {},
): BashOutputTool {
  const quiet = once(() => new (told().QuietJobs)())
  return jobTool({
    name: 'BashOutput',
    schema: terminals?.schema ?? bashOutputSchema,
    description: bashOutputDescription('started with run_in_background'),
    async call({ bash_id: id, ...input }, { cancel: signal, owner }) {
      const jobs = store()
      if (id === undefined) {
        refuseWithoutId(input)
        return {
          ...blankOutput,
          status: 'listed',
          ...(await told().listJobs(jobs, owner.conversationId, redact)),
        }
      }
      const { filter, offset, wait_ms, until, tail_lines: tailLines, screen } = input as BashOutputInput
      const options = { filter, offset, tailLines, signal, maxChars, redact, normalizeOutput: true }
      // What is wrong with the filter is told before the wait, and not after it.
      const asked = wait_ms ?? (until === undefined ? 0 : defaultWaitMs)
      const timeoutMs = Math.min(asked, longestWaitMs)
      if (asked > 0) await jobs.read(id, { filter, signal, maxBytes: leastBytes })
      const wait = { timeoutMs, until, offset, redact, signal }
      const isForInput = until === undefined && (await terminals?.has(jobs, id)) === true
      const waits = asked > 0 || until !== undefined
      const waited = waits && !isForInput ? await timed(jobs.wait(id, wait), until !== undefined) : undefined
      const shown = await terminals?.read(jobs, id, {
        ...options,
        waitMs: until === undefined ? timeoutMs : 0,
        screen,
        explain,
      })
      if (screen && shown === undefined) {
        throw invalidInput('screen', 'goes with a command that was started with tty', screen)
      }
      const read = shown ?? (await jobs.read(id, options))
      // It has ended since the wait was over: the line may be among its last.
      if (waited?.matched === null && read.status !== 'running') {
        waited.matched = (await jobs.wait(id, { ...wait, timeoutMs: 0 })).matched ?? null
      }
      // It may have been removed meanwhile.
      const job = read.status === 'running' ? await jobs.get(id).catch(() => undefined) : undefined
      const isQuiet = explain && shown === undefined
      const waitingFor = isQuiet ? await quiet().explain(jobs, id, { offset, redact }, read) : undefined
      return {
        ...read,
        ...waited,
        ...(job?.listening !== undefined && { listening: job.listening }),
        ...(waitingFor !== undefined && { waitingFor }),
      }
    },
    failure: (error) => ({ ...blankOutput, status: 'error', error }),
    jobs: { store, redact },
    // What cannot be loaded is told without it.
    toText: (result) => (result.status === 'error' ? errorText(result.error) : told().bashOutputText(result)),
  })
}

/** @param started what commands it is for */
export const bashOutputDescription = (started: string): string =>
  `Returns the output of a background command that was ${started}, from its beginning or from an offset, with its status ` +
  'and the ports that it listens on. With wait_ms it first waits for the end of the command, with until for a line ' +
  'of its output. Without bash_id it lists your background commands.'

/** Of a result that gives no output. */
export const blankOutput = {
  output: '',
  truncated: false,
  binary: false,
  exitCode: null,
  signal: null,
  outputBytes: 0,
  nextOffset: 0,
  droppedBytes: 0,
  unsearchedBytes: 0,
}

const leastBytes = 4

/** @throws {BashError} ERR_INVALID_INPUT: what is asked of no command would be ignored */
function refuseWithoutId(input: Omit<BashOutputInput, 'bash_id'>): void {
  for (const [name, value] of Object.entries(input)) {
    throw invalidInput(name, 'goes with a bash_id; without one, nothing else is allowed', value)
  }
}

async function timed(
  waiting: Promise<WaitedJob>,
  isForLine: boolean,
): Promise<Pick<BashOutputResult, 'waitedMs' | 'matched'>> {
  const since = performance.now()
  const { matched = null } = await waiting
  return { waitedMs: Math.round(performance.now() - since), ...(isForLine && { matched }) }
}
