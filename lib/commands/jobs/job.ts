// A background job, as it is told.

import type { SandboxFindings } from '../../guard/sandbox/findings.js'
import type { SandboxName } from '../../guard/sandbox/policy.js'
import type { JobExit } from '../../processes/engine/job-format/exit.js'
import type { ListeningSocket } from './listening/socket.js'
import type { JobRecord } from './record.js'

/** As in the result of a command; `sandbox` only of a job of a mode or policy. */
export interface JobDenials extends SandboxFindings {
  sandbox?: SandboxName
}

/**
 * - `running`: something that the job started still runs; or it was started in another container, and whether it still
 *   runs is not known here (`problem` says so)
 * - `completed`: exit code 0
 * - `failed`: another exit code
 * - `killed`: ended by a signal, on request or on its own
 * - `timed_out`: killed by its time limit
 * - `lost`: its supervisor has vanished without a word (killed, or the machine went down), or its files are damaged;
 *   how it ended is not known
 */
export type JobStatus = 'running' | JobExit['status'] | 'lost'

/** A background job, as it is at this moment. */
export interface Job extends JobDenials {
  id: string
  status: JobStatus
  /** Null when it cannot be read; `problem` says why. */
  record: JobRecord | null
  /** The file with its output. */
  outputFile: string
  /** Exit code 0…255; null while it runs, and when it was ended by a signal or is lost. */
  exitCode: number | null
  /** The signal that ended it, such as `'SIGKILL'`. */
  signal: string | null
  /** Bytes that it printed; while it runs and when it is lost, the size of its output file. */
  outputBytes: number
  /** Bytes of them that are not in the file because it had reached its allowed size. */
  droppedBytes: number
  /** Bytes of them that could not be written; `problem` says why. */
  lostBytes: number
  /** When it ended, milliseconds since the epoch: null while it runs; when it is lost, its last sign of life. */
  endedAt: number | null
  /** exit.json; null while it runs and when it is lost. */
  exit: JobExit | null
  /** Why it is lost, why output is, or what is wrong with its files. */
  problem?: string
  /** Where its processes listen on TCP: of a job that runs and does, as `get` and `list` give it. */
  listening?: readonly ListeningSocket[]
}
