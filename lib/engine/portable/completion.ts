// A completion with what a portable engine never has to report.

import type { Completion, Outcome } from '../engine.js'

export function completionOf(parts: Partial<Completion> & { outcome: Outcome }): Completion {
  return {
    pid: 0,
    step: undefined,
    errno: 0,
    exited: undefined,
    streams: ['', ''],
    survivors: [],
    adopted: false,
    state: undefined,
    savedBytes: 0,
    saveErrno: 0,
    protections: 0,
    confirmed: 0,
    scratchFull: false,
    ...parts,
  }
}
