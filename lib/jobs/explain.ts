// What a job that runs waits for.

import { provenEngine } from '../engine/choose.js'
import type * as Explain from '../explain/explain.js'
import { cut, type WaitingFor } from '../explain/waiting-for.js'
import { redactTokens } from '../output/redact/redact-tokens.js'
import { part } from '../util/load-part.js'
import { isAlive } from './identity.js'
import { type Job, supervisorOf } from './inspect.js'
import type { ReadJobOptions } from './read.js'
import { checkRedactJob } from './redaction.js'

const explain = part((): typeof Explain => require('../explain/explain.js'))

const maxCommand = 200

/**
 * @param redact as for reading its output
 * @returns nothing for a job that has ended; for one that nothing is known of, an entry of kind `unknown` that says why
 * @throws {BashError} as {@link provenEngine}
 */
export async function explainJob(job: Job, redact: ReadJobOptions['redact'] = true): Promise<WaitingFor[]> {
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
  if (found === undefined) return [unknown('its processes could not be looked at')]
  return found.length > 0 ? found : [unknown('/proc shows none of its processes')]
}

function unknownOf({ record }: Job, reason: string, hide: (text: string) => string): WaitingFor {
  const command = cut(hide(record?.command ?? ''), maxCommand)
  return { pid: record?.pid ?? 0, command, kind: 'unknown', text: `not known: ${reason}` }
}
