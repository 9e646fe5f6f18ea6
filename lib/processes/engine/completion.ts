// What an engine reports of a command.

import type { CapturedStream } from '../output/decode.js'

/** How a command came to its end: the values of `process::Outcome`. */
export enum Outcome {
  ended = 0,
  timedOut = 1,
  cancelled = 2,
  notStarted = 3,
  supervisorLost = 4,
  /** A background job that runs. */
  detached = 5,
  /** It goes on as the job that was asked for at `backgroundAfterMs`. */
  handedOver = 6,
}

export interface RunningProcess {
  pid: number
  command: string
  daemon: boolean
  holdsOutput: boolean
}

/** What the command and every descendant that was waited for used. */
export interface Usage {
  /** CPU time in user mode, milliseconds. */
  userMs: number
  /** CPU time in the kernel, milliseconds. */
  systemMs: number
  /** Resident memory of the largest single process, bytes. */
  maxRssBytes: number
}

export interface Completion {
  outcome: Outcome
  /** Of the shell; 0 when it did not start. */
  pid: number
  /** For `notStarted`: the step that failed, and its error number. For `supervisorLost`: ETIMEDOUT when it did not answer. */
  step: string | undefined
  errno: number
  /** How the shell ended, when it is known. */
  exited:
    | {
        /** -1 when it was ended by a signal. */
        exitCode: number
        /** 0 when it exited. */
        signal: number
        /** Undefined when the engine cannot tell. */
        usage: Usage | undefined
        /** When it cannot: what CPU time there was at most, milliseconds. */
        mostCpuMs?: number
      }
    | undefined
  /** Merged output and nothing, or stdout and stderr. A string when all of it is there, ASCII without NUL. */
  streams: [CapturedStream | string, CapturedStream | string]
  survivors: RunningProcess[]
  /** Whether the survivors are a job now. */
  adopted: boolean
  /** Whether the command has become a job. One that was cancelled, or timed out, meanwhile is a job that is killed. */
  isJob: boolean
  /** What the shell of a session has written. */
  state: Buffer | undefined
  /** Bytes in the file for long output. */
  savedBytes: number
  /** 0, or why that file is missing or incomplete. */
  saveErrno: number
  /** Protections that were in force: the bits of `protocol::Protection`. */
  protections: number
  /** Of a probe: those whose attempts were refused. */
  confirmed: number
  /** Whether it was killed for what it had in its scratch directory. */
  scratchFull: boolean
  /** Undefined when the sandbox has nothing to report. */
  report: SandboxEvents | undefined
  /** The descriptor of the call's mark; -1 when it was not made, -2 when none was left for it. Undefined: as -1. */
  mark?: number
  /** Why the command could not be made a job, where that was tried. */
  handOver?: { step: string; errno: number } | undefined
}

/** What the sandbox refused a command, and what it found. */
export interface SandboxEvents {
  /** `operation` as `protocol::Operation` counts them; `target`: a path, an address, a host. */
  denials: { operation: number; target: string }[]
  /** Further ones. */
  denialsDropped: number
  /** Watched paths that are not as they were: absolute. */
  changed: string[]
  /** Further ones, and what could not be looked at: too many paths, or a file system that does not answer. */
  changedDropped: number
  /** Whether everything was killed since nothing answered its notified system calls any more. */
  brokerEnded: boolean
}
