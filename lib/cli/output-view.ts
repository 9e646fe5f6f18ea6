// Where a stream of a command's output goes: shown while the command runs, and completed at its end.

import type { OutputEvent } from '../run/result.js'

/** What the result has of the stream. */
export interface ResultText {
  output: string
  /** Whether that leaves something out. */
  truncated: boolean
  /** The end of the stream, when `output` has it. */
  tail: string
}

export interface OutputView {
  /** Whether the next character begins a line. */
  readonly endsLine: boolean
  show(event: OutputEvent): void
  /**
   * Writes what is still missing. To be called once, after the last event.
   *
   * @returns bytes from the start of the stream that the reader has got; Infinity for all, or when the reader can see
   *   what is missing
   */
  end(text: ResultText): Promise<number>
}

/** Text that waits for a slow reader, bytes; beyond it nothing more is queued, so that memory stays bounded. */
export const maxBacklogBytes = 16 * 1024 * 1024
