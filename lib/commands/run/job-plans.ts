// The jobs that a foreground command may become.

import { planAdoption, planHandOver } from '../jobs/plan.js'
import type { ResolvedOptions } from './resolved-options.js'

/** Where jobs go. */
export interface JobPlace {
  directory: () => string
  /** The size that the output file of a job is kept below, bytes. */
  outputLimit: number
}

type Started = Parameters<typeof planAdoption>[1]

/** With the job of what the command leaves running, where that is not killed, and its own with `backgroundAfter`. */
export function withJobPlans(
  options: Readonly<ResolvedOptions>,
  started: Started,
  { directory, outputLimit }: JobPlace,
): ResolvedOptions {
  const { killSurvivors, backgroundAfter, timeoutMs: limitMs } = options
  return {
    ...options,
    adoption: killSurvivors ? undefined : () => planAdoption(directory, started, outputLimit),
    handOver:
      backgroundAfter === undefined
        ? undefined
        : () => planHandOver(directory, { ...started, limitMs }, outputLimit),
  }
}
