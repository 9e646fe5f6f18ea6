// How a job has ended, as its supervisor writes it.

export const exitStatuses = ['completed', 'failed', 'killed', 'timed_out'] as const

/** exit.json */
export interface JobExit {
  status: (typeof exitStatuses)[number]
  /** 0…255; null when a signal ended it. */
  exitCode: number | null
  /** Such as `'SIGKILL'`. */
  signal: string | null
  /** Milliseconds since the epoch. */
  endedAt: number
  /** Bytes that the job printed. */
  outputBytes: number
  /** Bytes of them that are not in the file because of `maxOutputBytes`. */
  droppedBytes: number
  /** Bytes of them that could not be written. */
  lostBytes: number
  /** Why, an error number; 0 when nothing was lost. */
  lostErrno: number
  userMs: number
  systemMs: number
  maxRssBytes: number
  /** Length of the status line at the end of the output file, with the newlines before it. */
  statusLineBytes: number
  /** How many notes about its sandbox could not be written; none: all were. */
  lostNotes?: number
}
