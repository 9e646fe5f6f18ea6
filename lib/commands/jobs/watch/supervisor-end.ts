// Being told that the supervisor of a job is gone, which may have been killed and then writes nothing.

import { isAlive } from '../../../base/util/process-identity.js'
import { currentEngine } from '../../../processes/engine/choose.js'
import type { Job } from '../job.js'

/**
 * @param onEnd called once, when the process is gone
 * @returns what makes an end of it; undefined where nobody tells: by the portable engine, without a free descriptor, or
 *   when it is gone already or in another PID namespace
 */
export function awaitSupervisor({ record }: Job, onEnd: () => void): (() => void) | undefined {
  if (record === null) return undefined
  const { bootId, pidNamespace, supervisor } = record
  const forget = currentEngine().awaitExit(supervisor.pid, onEnd)
  if (forget === undefined) return undefined
  // The descriptor stays with its process; now it shows whether that is the one meant.
  if (isAlive({ ...supervisor, bootId, pidNamespace }) === true) return forget
  forget()
  return undefined
}
