// The lock by which the supervisor of a job shows that it lives, where its pid says nothing: in another PID namespace.

import { currentEngine } from '../engine/choose.js'
import { systemError } from '../errors.js'

/**
 * Whether a supervisor holds the lock on the output file of its job.
 *
 * @returns undefined where the engine cannot tell, and when the file is gone or out of reach
 * @throws {BashError} ERR_JOB_DIRECTORY with step, errno and path
 */
export function isLocked(output: string): boolean | undefined {
  const answer = currentEngine().isLocked(output)
  if (typeof answer === 'boolean' || answer === undefined) return answer
  throw systemError('ERR_JOB_DIRECTORY', { step: 'flock', errno: answer.errno, path: output })
}
