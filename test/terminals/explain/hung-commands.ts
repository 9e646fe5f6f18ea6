// Commands that hang, and commands that are busy, as background jobs whose processes are asked for.
import type { WaitingFor } from '../../../lib/index.js'
import type { LiveJob, LiveJobs } from '../../commands/jobs-live/live-jobs.js'
import { waitFor } from '../../support/wait-for.js'

/** Starts a command, and looks again and again until its processes are told to wait for what is expected. */
export const explained = async (
  jobs: LiveJobs,
  command: string,
  expected: RegExp,
): Promise<{ job: LiveJob; waiting: WaitingFor[]; text: string }> => {
  const job = await jobs.start(command)
  const waiting = await explainedAs(jobs, job.id, expected)
  return { job, waiting, text: linesOf(waiting) }
}

export const explainedAs = async (
  { store }: LiveJobs,
  id: string,
  expected: RegExp,
): Promise<WaitingFor[]> => {
  let seen: string[] = []
  const explain = async () => {
    const waiting = await store.explain(id)
    seen = [...seen, linesOf(waiting)].slice(-3)
    return expected.test(linesOf(waiting)) ? waiting : undefined
  }
  return await waitFor(explain, { what: `${expected}`, deadlineMs: 20_000 }).catch((error: Error) => {
    throw new Error(`${error.message}\n${seen.join('\n--\n')}`)
  })
}

/** `kind: text`, a line for each process. */
export const linesOf = (waiting: readonly WaitingFor[]): string =>
  waiting.map(({ kind, text }) => `${kind}: ${text}`).join('\n')

/** Words that run a program of Node's. */
export const nodeCommand = (program: string): string =>
  `'${process.execPath}' -e '${program.replaceAll("'", "'\\''")}'`
