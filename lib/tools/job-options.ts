// The options that say where background jobs are kept.

import { defaultJobsDirectory } from '../jobs/directory.js'
import { defaultOutputLimit } from '../jobs/plan.js'
import { JobStore } from '../jobs/store.js'
import { checkInteger, invalidInput } from '../util/invalid-input.js'
import type { JobOptions } from './bash-call.js'

/** Below this a job's output would be all notice and no output. */
const outputRange = [256 * 1024, 1024 ** 4] as const

/** @throws {BashError} ERR_INVALID_INPUT */
export function resolveJobOptions(
  jobs: unknown,
  maxJobOutputBytes: unknown = defaultOutputLimit,
): JobOptions {
  if (jobs !== undefined && !(jobs instanceof JobStore))
    throw invalidInput('jobs', 'must be a JobStore', jobs)
  const outputLimit = checkInteger('maxJobOutputBytes', maxJobOutputBytes, outputRange, 'bytes')
  // Made when it is needed: where there is no home directory, foreground commands work all the same.
  return {
    store: () => jobs ?? new JobStore(),
    directory: () => jobs?.directory ?? defaultJobsDirectory(),
    outputLimit,
  }
}
