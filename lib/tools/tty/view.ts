// What a terminal shows once its program waits for input, has ended, or the time is up: what is new, or its screen.

import { BashError } from '../../base/errors.js'
import { part } from '../../base/util/load-part.js'
import type { Job } from '../../commands/jobs/job.js'
import { readLastBytes } from '../../commands/jobs/last-bytes.js'
import type { JobOutput, ReadJobOptions } from '../../commands/jobs/read.js'
import type { JobStore } from '../../commands/jobs/store.js'
import { BoundedText } from '../../processes/output/bounded-text.js'
import type { AskPerson, SecretAnswer } from '../../terminals/terminal/ask-person.js'
import type { JobTerminal } from '../../terminals/terminal/job-terminal.js'
import { maxReplayBytes } from '../../terminals/terminal/limits.js'
import type { TerminalFields, TerminalReport } from '../../terminals/terminal/report.js'
import type * as Screens from '../../terminals/terminal/screens.js'
import { secretAsked } from '../../terminals/terminal/secret-prompt.js'
import type { SecretQuestions, Waited } from '../../terminals/terminal/secret-questions.js'
import type { TerminalState } from '../../terminals/terminal/state.js'
import { TerminalTracker } from '../../terminals/terminal/tracker.js'
import { lookAtCursor, withoutSecretsOn } from './cursor.js'

export type TerminalView = JobOutput & TerminalFields

export interface ViewOptions {
  /** The byte of the output where what is new begins. */
  from: number
  /** As those of JobStore.read(): then it is lines that are wanted, unless a screen is asked for. */
  filter?: string | undefined
  tailLines?: number | undefined
  waitMs: number
  screen: boolean
  maxChars: number
  redact: ReadJobOptions['redact']
  explain: boolean
  signal: AbortSignal | undefined
  /** Undefined: no person is asked for secrets. */
  questions: { askPerson: AskPerson; pending: SecretQuestions } | undefined
}

/** The emulator and its thread. */
const screens = part((): typeof Screens => require('../../terminals/terminal/screens.js'))

/** The supervisor writes its last files after it has told that the job has ended. */
const endMs = 5_000

export async function lookAtTerminal(
  jobs: JobStore,
  id: string,
  terminal: JobTerminal,
  options: ViewOptions,
): Promise<TerminalView> {
  const { from: offset, filter, tailLines, maxChars, redact, signal } = options
  const answers: SecretAnswer[] = []
  const waited = await waitForInput(jobs, id, terminal, options, answers)
  const lines = { filter, tailLines, normalizeOutput: true }
  const read = await jobs.read(id, { ...lines, offset, maxChars, redact, signal })
  const job = await jobs.wait(id, { timeoutMs: 0 })
  const shown = await shownInstead(job, terminal, read, waited?.state, options)
  const view = { ...read, ...shown, ...(answers.length > 0 && { secretAnswers: answers }) }
  if (waited === undefined || read.status !== 'running') return view
  return { ...view, state: await report(jobs, job, terminal, waited, options) }
}

/**
 * @param answers of a person who was asked meanwhile are added to it
 * @returns undefined when the job has ended
 */
async function waitForInput(
  jobs: JobStore,
  id: string,
  terminal: JobTerminal,
  options: ViewOptions,
  answers: SecretAnswer[],
): Promise<Waited | undefined> {
  const waited = await waitOrAsk(jobs, id, terminal, options, answers).catch((error: unknown) => {
    if (BashError.isInstance(error) && error.code === 'ERR_JOB_NOT_RUNNING') return undefined
    throw error
  })
  if (waited !== undefined && waited.state.reason !== 'ended') return waited
  await jobs.wait(id, { timeoutMs: endMs, signal: options.signal })
  return undefined
}

async function waitOrAsk(
  jobs: JobStore,
  id: string,
  terminal: JobTerminal,
  { waitMs: timeoutMs, signal, redact, questions }: ViewOptions,
  answers: SecretAnswer[],
): Promise<Waited> {
  if (questions === undefined) {
    const waiting = timeoutMs === 0 ? terminal.state() : terminal.wait({ timeoutMs, signal })
    return { state: await waiting, answers, isAsking: false }
  }
  const { askPerson, pending } = questions
  const job = await jobs.wait(id, { timeoutMs: 0 })
  const asking = { jobId: id, command: job.record?.command ?? '', askPerson }
  // A dialog asks above its cursor.
  const look = async (state: TerminalState) => {
    const { line, screen } = await lookAtCursor(job, terminal, state, redact)
    const secret = screen && secretAsked({ verdict: state.verdict, cursorLine: line }, screen)
    return secret && { seen: true, prompt: line }
  }
  return await pending.wait(terminal, { timeoutMs, signal }, asking, look, answers)
}

/** What takes the place of lines, where they do not show what the terminal does. */
async function shownInstead(
  job: Job,
  terminal: JobTerminal,
  read: JobOutput,
  state: TerminalState | undefined,
  { from, filter, tailLines, screen: asked, maxChars, redact }: ViewOptions,
): Promise<Partial<JobOutput> & Pick<TerminalFields, 'screen' | 'screenError'>> {
  if (!asked && (filter !== undefined || tailLines !== undefined)) return {}
  const running = read.status === 'running' ? state : undefined
  const fresh = await freshBytes(job, from)
  if (asked || (running !== undefined && fillsScreen(running, fresh))) {
    const drawn = await terminal.screen()
    if ('unavailable' in drawn) return { screenError: drawn.unavailable }
    const { rows, columns: cols, cursor, incomplete, lines } = withoutSecretsOn(drawn, redact)
    const { row, column: col, visible } = cursor
    return { ...textOf(lines, maxChars), screen: { rows, cols, cursor: { row, col, visible }, incomplete } }
  }
  if (!movesUp(fresh)) return {}
  const { rows, cols: columns } = state ?? job.record?.terminal ?? { rows: 24, cols: 100 }
  const replay = { bytes: fresh, sizes: [{ offset: 0, rows, columns }], alternate: beginsAlternate(fresh) }
  const drawn = await screens().replayScreen(replay, { scrollback: true })
  if ('unavailable' in drawn) return { screenError: drawn.unavailable }
  const { scrollback = [], lines } = withoutSecretsOn(drawn, redact)
  return textOf([...scrollback, ...lines], maxChars)
}

async function freshBytes(job: Job, from: number): Promise<Buffer> {
  const { bytes, offset } = await readLastBytes(job, maxReplayBytes)
  return bytes.subarray(Math.max(0, from - offset))
}

/** Whether lines do not show what was printed. */
function movesUp(fresh: Buffer): boolean {
  const tracker = new TerminalTracker()
  tracker.write(fresh)
  return tracker.needsScreenSince(0)
}

/** Whether it leaves the alternate screen without having come to it. */
const beginsAlternate = (fresh: Buffer): boolean =>
  /\x1b\[\?(?:47|1047|1049)([hl])/.exec(fresh.toString('latin1'))?.[1] === 'l'

/** Goes to a place on the screen, or clears it. */
const places = /\x1b\[(?:\d*(?:;\d*)?[Hfd]|[23]J)/

/** Such as top and whiptail, which do so without the alternate screen. What edits a line, or waits for one, does not. */
function fillsScreen({ altScreen, verdict, bracketedPaste }: TerminalState, fresh: Buffer): boolean {
  if (altScreen) return true
  return verdict !== 'line' && !bracketedPaste && places.test(fresh.toString('latin1'))
}

function textOf(lines: readonly string[], maxChars: number): Pick<JobOutput, 'output' | 'truncated'> {
  const bounded = new BoundedText(maxChars, { wholeLines: true })
  bounded.add(lines.join('\n'))
  const { text, truncated } = bounded.result()
  return { output: text, truncated }
}

async function report(
  jobs: JobStore,
  job: Job,
  terminal: JobTerminal,
  { state, isAsking }: Waited,
  { redact, explain }: ViewOptions,
): Promise<TerminalReport> {
  // What stands at the cursor may have a secret in it.
  const { cursorLine, asksSecret, startTime, ...known } = state
  const { line: prompt, screen } = await lookAtCursor(job, terminal, state, redact)
  const secret = secretAsked({ verdict: state.verdict, cursorLine: prompt }, screen)
  const isExplained = explain && state.reason === 'deadline'
  const waitingFor = isExplained ? await jobs.explain(job.id, { redact }).catch(() => []) : []
  return {
    ...known,
    prompt,
    ...(secret !== undefined && { secret }),
    ...(isAsking && { isAsking }),
    ...(waitingFor.length > 0 && { waitingFor }),
  }
}
