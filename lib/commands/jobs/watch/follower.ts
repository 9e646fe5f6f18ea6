// Following a job that runs, for what somebody wants to be told of before its end: lines, ports, silence.

import { statSync } from 'node:fs'
import { Changes } from '../changes.js'
import { jobPaths } from '../directory.js'
import { inspectJob, supervisorOf } from '../inspect.js'
import type { Job } from '../job.js'
import { listeningOf } from '../listening/listening.js'
import { type ListeningSocket, socketName } from '../listening/socket.js'
import { checkReadOptions, readOutput } from '../read.js'
import { lastLinesOf, shownCommand } from './end-event.js'
import type { JobEvent } from './event.js'
import { MatchedLines } from './matched-lines.js'
import type { CheckedWatch } from './watch-options.js'

/** Between two looks, however much is printed, milliseconds. */
const leastPauseMs = 100
/** Where changes are not told. */
const pollMs = 500
/** No change tells of a socket: the longer nothing begins to listen, the less often. */
const portsFirstMs = 250
const portsLongestMs = 5000
/** Of matching lines in one reading: so many are counted. */
const searchedChars = 1_000_000
const nothing = async () => {}

export interface Teller {
  tell(build: () => Promise<JobEvent | undefined>): void
  fail(error: unknown): void
}

export class Follower {
  readonly #root: string
  readonly #id: string
  readonly #options: CheckedWatch
  readonly #teller: Teller
  #isOpen = true
  #wake = () => {}
  #offset = 0
  #looking: Promise<void> = Promise.resolve()
  #size = -1
  #printedAt = performance.now()
  #isQuiet = false
  #ports = ''
  #portsPause = portsFirstMs
  #portsAt = 0

  constructor(root: string, id: string, options: CheckedWatch, teller: Teller) {
    this.#root = root
    this.#id = id
    this.#options = options
    this.#teller = teller
  }

  start(): void {
    this.#looking = this.#follow().catch((error: unknown) => this.#teller.fail(error))
  }

  close(): void {
    this.#isOpen = false
    this.#wake()
  }

  /** What was printed since the last look: the job has ended. */
  async finish(): Promise<JobEvent | undefined> {
    this.close()
    await this.#looking
    const job = inspectJob(this.#root, this.#id)
    const lines = job && (await this.#matchedLines(job))
    return job && lines && lines.length > 0 ? this.#matched(job, lines) : undefined
  }

  async #follow(): Promise<void> {
    while (this.#isOpen) {
      // Before the look: what is printed after it wakes.
      const changes = new Changes(jobPaths(this.#root, this.#id).directory)
      try {
        const job = inspectJob(this.#root, this.#id)
        if (job !== undefined && job.status !== 'running') return
        if (job !== undefined) await this.#lookAt(job)
        await this.#sleep(leastPauseMs)
        const longest = job === undefined || !changes.areWatched ? pollMs : Number.POSITIVE_INFINITY
        await this.#sleep(Math.min(longest, this.#untilNextMs()), changes)
      } finally {
        changes.close()
      }
    }
  }

  async #lookAt(job: Job): Promise<void> {
    const size = sizeOf(job.outputFile)
    if (size !== this.#size) {
      this.#size = size
      this.#printedAt = performance.now()
      this.#isQuiet = false
      this.#portsPause = portsFirstMs
      const lines = await this.#matchedLines(job)
      if (lines.length > 0) this.#tell(this.#matched(job, lines))
    }
    if (this.#options.listening && performance.now() >= this.#portsAt) await this.#lookAtPorts(job)
    const { quietAfterMs } = this.#options
    const quietMs = performance.now() - this.#printedAt
    if (quietAfterMs === undefined || this.#isQuiet || quietMs < quietAfterMs) return
    this.#isQuiet = true
    const lines = (await lastLinesOf(job, this.#options.redact)) ?? []
    this.#tell({ type: 'quiet', ...this.#about(job), quietMs: Math.round(quietMs), lines })
  }

  /** Of all that was there when it began; of the last line only once it is complete, or the job has ended. */
  async #matchedLines(job: Job): Promise<string[]> {
    const { match: filter, redact } = this.#options
    if (filter === undefined) return []
    const matched = new MatchedLines()
    const end = job.status === 'running' ? sizeOf(job.outputFile) : Number.POSITIVE_INFINITY
    do {
      const options = { filter, offset: this.#offset, maxChars: searchedChars, normalizeOutput: true, redact }
      const { output, nextOffset, unsearchedBytes } = await readOutput(
        job,
        checkReadOptions(options, 'match'),
      )
      matched.add(output)
      if (unsearchedBytes === 0 || nextOffset === this.#offset) {
        this.#offset = nextOffset
        break
      }
      this.#offset = nextOffset
    } while (this.#offset < end)
    if (job.status !== 'running') matched.end()
    return matched.lines()
  }

  async #lookAtPorts(job: Job): Promise<void> {
    const supervisor = supervisorOf(job)
    const ports: ListeningSocket[] = supervisor === undefined ? [] : await listeningOf(supervisor)
    const names = ports.map(socketName).join(' ')
    const hasNew = ports.some((port) => !this.#ports.split(' ').includes(socketName(port)))
    this.#portsPause = names === this.#ports ? Math.min(this.#portsPause * 1.5, portsLongestMs) : portsFirstMs
    this.#portsAt = performance.now() + this.#portsPause
    this.#ports = names
    if (hasNew) this.#tell({ type: 'listening', ...this.#about({ ...job, listening: ports }), ports })
  }

  #matched(job: Job, lines: string[]): JobEvent {
    return { type: 'match', ...this.#about(job), lines }
  }

  #about(job: Job) {
    const command = shownCommand(job.record?.command.slice(0, 2000) ?? '', this.#options.redact)
    return { job, command, acknowledge: nothing }
  }

  #tell(event: JobEvent): void {
    if (this.#isOpen) this.#teller.tell(async () => event)
  }

  /** When there is something to look at although nothing is printed. */
  #untilNextMs(): number {
    const { quietAfterMs, listening } = this.#options
    const now = performance.now()
    const quiet =
      quietAfterMs === undefined || this.#isQuiet
        ? Number.POSITIVE_INFINITY
        : this.#printedAt + quietAfterMs - now
    return Math.max(0, Math.min(quiet, listening ? this.#portsAt - now : Number.POSITIVE_INFINITY))
  }

  async #sleep(ms: number, changes?: Changes): Promise<void> {
    if (!this.#isOpen) return
    await new Promise<void>((resolve) => {
      const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
      changes?.onNext(this.#wake)
    })
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
