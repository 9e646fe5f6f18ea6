// Tasks, an extension of the protocol (io.modelcontextprotocol/tasks, SEP-2663): a call whose command takes longer than an
// answer can wait is answered with a task, which is a background job. The client asks for its result from time to time.

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { BashError } from '../../base/errors.js'
import type { Job } from '../../commands/jobs/job.js'
import type { JobStore } from '../../commands/jobs/store.js'
import { humanizeBytes } from '../../processes/output/bytes.js'
import { hasShellEnded } from './job.js'
import type { ServerToolResult } from './server-call.js'
import type { ServerTools } from './tools.js'

/** How often a client is asked to look, milliseconds. */
const pollIntervalMs = 2000
/** How many tasks are remembered by what they were answered with, and how many as cancelled. */
const maxRemembered = 1000

/** What a client is told of a task. */
export interface Task {
  taskId: string
  status: 'working' | 'completed' | 'failed' | 'cancelled'
  statusMessage: string
  /** ISO 8601. */
  createdAt: string
  lastUpdatedAt: string
  /** Jobs are removed some time after their end, and that is not known before. */
  ttlMs: null
  pollIntervalMs: number
}

/** As a call of a tool is answered. */
export interface CallAnswer {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError: boolean
  [key: string]: unknown
}

/**
 * @param isStructured whether it has structured content: many clients show their model that alone, and hide the text
 * @param ends of background jobs, which it tells of besides
 */
export function answerOf(
  { text, structured, isError }: ServerToolResult,
  isStructured: boolean,
  ends: string[] = [],
): CallAnswer {
  return {
    content: [text, ...ends].map((part) => ({ type: 'text', text: part })),
    ...(isStructured && {
      structuredContent: ends.length === 0 ? structured : { ...structured, news: ends },
    }),
    isError,
  }
}

export class Tasks {
  readonly #store: JobStore
  readonly #tools: Pick<ServerTools, 'ended' | 'kill'>
  readonly #isStructured: boolean
  /** What the calls were answered with, by their jobs. */
  readonly #answers = new Map<string, ServerToolResult>()
  readonly #cancelled = new Set<string>()

  constructor(store: JobStore, tools: Pick<ServerTools, 'ended' | 'kill'>, isStructured: boolean) {
    this.#store = store
    this.#tools = tools
    this.#isStructured = isStructured
  }

  /** Takes the place of the answer of an unfinished call: a `CreateTaskResult`. */
  async create(id: string, answer: ServerToolResult): Promise<Task & { resultType: 'task' }> {
    this.#answers.set(id, answer)
    dropOldest(this.#answers)
    // One that has ended meanwhile is still to be asked for.
    return { resultType: 'task', ...describe(await this.#job(id), 'working') }
  }

  /** `tasks/get` */
  async get(id: string): Promise<Task & { result?: CallAnswer; error?: { code: number; message: string } }> {
    const job = await this.#job(id)
    switch (job.status) {
      case 'running':
        return describe(job, 'working')
      case 'lost': {
        const { problem = 'how it has ended is not known' } = job
        return {
          ...describe(job, 'failed'),
          error: { code: ProtocolErrorCode.InternalError, message: problem },
        }
      }
      case 'killed':
        if (this.#cancelled.has(id)) return describe(job, 'cancelled')
    }
    // A command that fails is a result like others: only a call that could not be carried out is a failed task.
    const result = answerOf(await this.#tools.ended(job, this.#answers.get(id)), this.#isStructured)
    return { ...describe(job, 'completed'), result }
  }

  /** `tasks/update`: no task of this server ever asks for anything. */
  async update(id: string): Promise<Record<string, never>> {
    await this.#job(id)
    return {}
  }

  /** `tasks/cancel`: what has ended is left as it is. A sandbox ends no other conversation's, as with kill_bash. */
  async cancel(id: string): Promise<Record<string, never>> {
    const { status } = await this.#job(id)
    if (status !== 'running') return {}
    this.#cancelled.add(id)
    dropOldest(this.#cancelled)
    try {
      await this.#tools.kill(id)
    } catch (error) {
      this.#cancelled.delete(id)
      if (!BashError.isInstance(error)) throw error
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `taskId: ${error.message}`)
    }
    return {}
  }

  async #job(id: string): Promise<Job> {
    try {
      // Unlike get, it does not look where the job listens.
      return await this.#store.wait(id, { timeoutMs: 0 })
    } catch (error) {
      if (!BashError.isInstance(error) || error.code !== 'ERR_JOB_NOT_FOUND') throw error
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `taskId: there is no such task: ${error.message}`,
      )
    }
  }
}

function dropOldest(kept: Map<string, unknown> | Set<string>): void {
  const [oldest] = kept.keys()
  if (kept.size > maxRemembered && oldest !== undefined) kept.delete(oldest)
}

function describe(job: Job, status: Task['status']): Task {
  const { id, record, endedAt } = job
  const createdAt = record?.createdAt ?? endedAt ?? Date.now()
  return {
    taskId: id,
    status,
    statusMessage: messageOf(job, status),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(endedAt ?? Date.now()).toISOString(),
    ttlMs: null,
    pollIntervalMs,
  }
}

function messageOf(job: Job, status: Task['status']): string {
  const { id, exitCode, signal, outputBytes } = job
  const printed = `${humanizeBytes(outputBytes)} printed`
  if (status === 'working') {
    const what = hasShellEnded(job) ? 'bash has ended, and what it has started still runs' : 'still running'
    return `${what} as background job ${id}, ${printed} so far; bash_output reads it, kill_bash ends it`
  }
  if (status !== 'completed') return `background job ${id}: ${status}, ${printed}`
  return signal === null ? `exit code ${exitCode}, ${printed}` : `killed by ${signal}, ${printed}`
}
