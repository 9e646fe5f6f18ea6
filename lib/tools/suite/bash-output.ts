// BashOutput: what a background command has printed so far, when it is worth a look; or which there are.

import { invalidInput } from '../../base/util/invalid-input.js'
import { once } from '../../base/util/lazy.js'
import { part } from '../../base/util/load-part.js'
import type { ReadJobOptions } from '../../commands/jobs/read.js'
import type { JobStore } from '../../commands/jobs/store.js'
import type { WaitedJob } from '../../commands/jobs/wait.js'
import { suiteMaxCharacters } from '../../processes/output/profile.js'
import type { BashOutputTerminals } from '../tty/tools.js'
import type { Tool } from '../types.js'
import { type BashOutputResult, blankOutput } from './bash-output-result.js'
import type * as Told from './bash-output-told.js'
import { errorText, jobTool } from './job-tool.js'
import { type BashOutputInput, bashOutputSchema, defaultWaitMs, maxWaitMs } from './schemas.js'

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
