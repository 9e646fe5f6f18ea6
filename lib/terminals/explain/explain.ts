// Why commands do not go on, for those who ask: what is loaded with the first question.

import { setTimeout as delay } from 'node:timers/promises'
import type { Engine } from '../../processes/engine/engine.js'
import type { Found, JobProcesses } from './finding.js'
import { type Hide, present } from './present.js'
import { canLook, type Look, startLook } from './start-look.js'
import type { WaitingFor } from './waiting-for.js'

/** A look at a command shortly before its timeout. */
export interface TimeoutLook {
  /**
   * The command was killed: what it waited for before. Nothing when the look was not done in time.
   *
   * @param shell the pid that its shell had
   */
  take(shell: number, hide?: Hide): Promise<WaitingFor[]>
  /** The command has ended otherwise. */
  drop(): void
}

/** Before the timeout, milliseconds: when the look is taken, and when it has to be done. */
const lookMs = 200
const doneMs = 20
/** What it takes to read the answer, and then to end who does not answer. */
const readMs = 100
/** An older answer tells nothing of the moment. */
const maxAgeMs = 3_000
/** How long before its time a look of others will do, where there can be one of its own. */
const sharedMs = 1_000

/** What is printed a moment later is as old as that. */
const marginMs = 300

/** A look that several commands share, all of this host. */
interface SharedLook {
  look: Look
  lookAt: number
  users: number
}

let latest: SharedLook | undefined

/**
 * Looks at the commands of this process before one of them is killed. Which of them it is, its end will tell.
 *
 * @param startedMs how long ago it was started
 * @param leftMs how long it may still run
 */
export function lookBeforeTimeout(
  engine: Engine,
  startedMs: number,
  leftMs: number,
): TimeoutLook | undefined {
  const timeoutAt = Date.now() + leftMs
  const shared =
    pendingLook(timeoutAt - sharedMs) ??
    begin(engine, startedMs, timeoutAt) ??
    pendingLook(timeoutAt - maxAgeMs + marginMs)
  if (shared === undefined) return undefined
  latest = shared
  shared.users += 1
  const leave = () => {
    shared.users -= 1
    if (shared.users > 0) return
    shared.look.stop()
    if (latest === shared) latest = undefined
  }
  return {
    async take(shell, hide) {
      const found = await answerOf(shared.look)
      leave()
      return present(ofShell(found, shell, timeoutAt), hide)
    },
    drop: leave,
  }
}

/** One that is still to be taken, and not before `notBefore`. */
function pendingLook(notBefore: number): SharedLook | undefined {
  if (latest === undefined || latest.lookAt < notBefore) return undefined
  return Date.now() < latest.lookAt ? latest : undefined
}

/** One that is late may have looked before, and says so when it is ended. */
async function answerOf({ answer, stop }: Look): Promise<Found[]> {
  const inTime = await Promise.race([answer, delay(readMs, 'late' as const)])
  if (inTime !== 'late') return inTime ?? []
  stop()
  return (await Promise.race([answer, delay(readMs, undefined)])) ?? []
}

function begin(engine: Engine, startedMs: number, timeoutAt: number): SharedLook | undefined {
  const lookAt = timeoutAt - lookMs
  const order = { host: process.pid, ages: [startedMs], roots: [], lookAt, deadline: timeoutAt - doneMs }
  const look = startLook(engine, order)
  return look && { look, lookAt, users: 0 }
}

function ofShell(found: readonly Found[], shell: number, timeoutAt: number): Found['findings'] {
  const its = found.find(({ shells }) => shells.includes(shell))
  return its !== undefined && its.at > timeoutAt - maxAgeMs ? its.findings : []
}

/** Between the two looks at a job, and what both may take, milliseconds. */
const jobPauseMs = 250
const jobLimitMs = 5_000
/** Between two attempts while others look. */
const retryMs = 50

/**
 * What the processes of a job wait for.
 *
 * @returns undefined when that could not be found out
 */
export async function explainProcesses(
  engine: Engine,
  job: JobProcesses,
  hide: Hide,
): Promise<WaitingFor[] | undefined> {
  if (!canLook()) return undefined
  const end = Date.now() + jobLimitMs
  while (Date.now() < end) {
    const order = {
      host: 0,
      ages: [],
      roots: [job],
      lookAt: Date.now() + jobPauseMs,
      deadline: end,
    }
    const look = startLook(engine, order)
    if (look !== undefined) {
      const [found] = (await look.answer) ?? []
      return found && present(found.findings, hide)
    }
    await delay(retryMs)
  }
  return undefined
}
