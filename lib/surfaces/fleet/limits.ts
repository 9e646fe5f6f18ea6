// The sizes and times of a fleet. Tests shorten the times; nothing else does but the options that say so.

/** Bytes of a command, and of any other input of a tool, as JSON. A larger one belongs into a file. */
export const maxInputBytes = 256 * 1024
/** Bytes of a signed request. */
export const maxRequestBytes = 384 * 1024
/** Bytes of a result in Redis. Of a larger one the output is left out. */
export const maxResultBytes = 1024 * 1024

/** Jobs that are done are kept so long, and so many of them: one that is sent again meets its result. */
export const keptJobs = { age: 600, count: 5000 } as const
export const resultTtlMs = 600_000
/** What answers one sending only. */
export const answerTtlMs = 60_000
/** A call that runs longer renews it. */
export const claimTtlMs = 600_000
export const cancelTtlMs = 3_600_000
/** A binding that was given up: what was sent before must not be taken for valid. */
export const abandonedTtlMs = 7 * 24 * 3_600_000

/** The name of a worker that has not been there for so long is forgotten, and so it takes no room for good. */
export const forgottenNodeMs = 7 * 24 * 3_600_000

/** Live output: bytes of text in one entry, and entries of one client. */
export const maxEntryBytes = 64 * 1024
export const outputEntries = 256
export const inboxEntries = 20_000

/** Bytes of a saved output that one answer has. */
export const maxRangeBytes = 256 * 1024

/** How long a control request may wait to be taken. */
export const controlQueueMs = 10_000

/** Calls of one conversation that wait for the one that runs. */
export const conversationQueue = 8
/** Calls that wait for one worker. */
export const workerQueue = 256

export interface ClientTimings {
  /** Milliseconds between two signs of life. */
  beatMs: number
  /** After so long without one a client counts as gone, and its calls are cancelled. At least twice `beatMs`. */
  aliveMs: number
  /** Between two looks at a call that has not answered. */
  watchMs: number
  /** So long a call may be quiet before its worker is asked about it. */
  patienceMs: number
  /** So long a call waits for its answer after the time limit of its command. */
  answerSlackMs: number
}

export const clientTimings: ClientTimings = {
  beatMs: 2000,
  aliveMs: 6000,
  watchMs: 500,
  patienceMs: 12_000,
  answerSlackMs: 30_000,
}

export interface WorkerTimings {
  heartbeatMs: number
  /** After so long without a heartbeat a worker counts as gone. */
  ttlMs: number
  /** Between two looks at the clients of running calls, and two signs of life of such a call. */
  lookMs: number
  /** A job that nobody renews for so long was lost by its worker. */
  lockMs: number
}
