// What a job that runs waits for.

import { setTimeout as delay } from 'node:timers/promises'
import { part } from '../../base/util/load-part.js'
import { isAlive } from '../../base/util/process-identity.js'
import { provenEngine } from '../../processes/engine/choose.js'
import { redactTokens } from '../../processes/output/redact/redact-tokens.js'
import type * as Explain from '../../terminals/explain/explain.js'
import { cut, type WaitingFor } from '../../terminals/explain/waiting-for.js'
import { supervisorOf } from './inspect.js'
import type { Job } from './job.js'
import type { ReadJobOptions } from './read.js'
import { checkRedactJob } from './redaction.js'

const explain = part((): typeof Explain => require('../../terminals/explain/explain.js'))

const maxCommand = 200
const endLooks = 5
const endPauseMs = 20

/**
 * @param look rejects when there is no such job
 * @param redact as for reading its output
 * @returns nothing for a job that has ended; for one that nothing is known of, an entry of kind `unknown` that says why
 * @throws {BashError} as {@link provenEngine}
 */
export async function explainJob(
  look: () => Promise<Job>,
  redact: ReadJobOptions['redact'] = true,
): Promise<WaitingFor[]> {
  const job = await look()
  const { status, record } = job
  const redactor = checkRedactJob('options.redact', redact)
  const supervisor = supervisorOf(job)
  const unknown = (reason: string) => unknownOf(job, reason, hide)
  const hide = (text: string) => redactTokens(redactor?.text(text) ?? text)
  if (status !== 'running') return []
  if (record === null || supervisor === undefined) return [unknown('its record cannot be read')]
  // Its numbers may be those of other processes here.
  if (isAlive(supervisor) !== true) return [unknown('/proc does not show its processes here')]
  const { engine } = await provenEngine()
  const { pid, startTime } = supervisor
  const found = await explain().explainProcesses(engine, { pid, startTime, shell: record.pid }, hide)
  if (found !== undefined && found.length > 0) return found
  if (await isEnding(look)) return []
  return [
    unknown(
      found === undefined ? 'its processes could not be looked at' : '/proc shows none of its processes',
    ),
  ]
}

/** Whether it has ended meanwhile: that is written a moment after the end of its processes. */
async function isEnding(look: () => Promise<Job>): Promise<boolean> {
  for (let left = endLooks; left > 0; left -= 1) {
    if ((await look()).status !== 'running') return true
    await delay(endPauseMs)
  }
  return false
}

function unknownOf({ record }: Job, reason: string, hide: (text: string) => string): WaitingFor {
  const command = cut(hide(record?.command ?? ''), maxCommand)
  return { pid: record?.pid ?? 0, command, kind: 'unknown', text: `not known: ${reason}` }
}
