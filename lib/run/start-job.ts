// Starting a background job: from here on it is its supervisor's, and outlives this process.

import { provenEngine } from '../engine/choose.js'
import { type JobPlan, Outcome } from '../engine/engine.js'
import { type Protection, protectionsOf } from '../sandbox/protections.js'
import { requireSandbox } from '../sandbox/requirements.js'
import type { ResolvedOptions } from './options.js'
import { buildRequest } from './request.js'
import { startFailure } from './start-failure.js'

export interface StartedJob {
  /** Of bash, also its process group. */
  pid: number
  /** Those in force. */
  protections: Protection[]
  /** Names of the environment variables that were withheld. */
  removedEnv: readonly string[]
}

/**
 * Resolves when the job runs and its record is on the disk.
 *
 * @throws {BashError} when it cannot be started; nothing of it has run then
 */
export async function startJob(
  command: string,
  options: ResolvedOptions,
  plan: JobPlan,
): Promise<StartedJob> {
  if (options.sandbox === 'restricted') await requireSandbox(options.required)
  const { engine } = await provenEngine()
  const environment = options.environment.current()
  const request = { ...buildRequest(command, options, environment, plan), background: true }
  return await new Promise((resolve, reject) => {
    engine.start(request, (completion) => {
      if (completion.outcome === Outcome.detached) {
        const { pid, protections } = completion
        resolve({ pid, protections: protectionsOf(protections), removedEnv: environment.removed })
      } else {
        reject(startFailure(request, completion))
      }
    })
  })
}
