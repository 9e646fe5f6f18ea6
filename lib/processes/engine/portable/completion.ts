// What this engine reports of a command: its completion, or why it did not start.

import { constants } from 'node:os'
import type { Completion, Outcome } from '../completion.js'

/** A completion with what this engine never has to report. */
export function completionOf(parts: Partial<Completion> & { outcome: Outcome }): Completion {
  return {
    pid: 0,
    step: undefined,
    errno: 0,
    exited: undefined,
    streams: ['', ''],
    survivors: [],
    adopted: false,
    isJob: false,
    state: undefined,
    savedBytes: 0,
    saveErrno: 0,
    protections: 0,
    confirmed: 0,
    scratchFull: false,
    report: undefined,
    ...parts,
  }
}

/** The step that failed, by the name that the native engine has for it, and the error number. */
export class StepError extends Error {
  readonly errno: number

  constructor(
    readonly step: string,
    cause: unknown,
  ) {
    super(step, { cause })
    this.errno = errnoOf(cause)
  }
}

/** @throws {StepError} */
export function step<Result>(name: string, act: () => Result): Result {
  try {
    return act()
  } catch (cause) {
    throw new StepError(name, cause)
  }
}

/** What a start failed with; `start` where no step is known. */
export function asStepError(error: unknown): StepError {
  return error instanceof StepError ? error : new StepError('start', error)
}

/** @param otherwise the number of an error that the system has none for */
export function errnoOf(error: unknown, otherwise: number = constants.errno.EIO): number {
  // libuv's numbers are negative.
  return Math.abs((error as NodeJS.ErrnoException).errno ?? otherwise)
}
