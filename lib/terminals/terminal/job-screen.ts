// The screen of a job, from what is known of its terminal and the end of its output. Loaded with the first one.

import { checkFlag, checkObject } from '../../base/util/invalid-input.js'
import { part } from '../../base/util/load-part.js'
import { maxReplayBytes } from './limits.js'
import type { ScreenParts } from './orders.js'
import type { Replay } from './replay.js'
import type { ScreenAnswer } from './screen.js'
import type * as Screens from './screens.js'
import { TerminalTracker } from './tracker.js'

/** The emulator and its thread. */
const screens = part((): typeof Screens => require('./screens.js'))

/** The end of what a job has printed, as its file has it. */
export interface OutputEnd {
  bytes: Uint8Array
  /** Of the first of them in the output. */
  offset: number
  /** Whether there is more output than the file has. */
  isMissing: boolean
}

/** What is known of the terminal beside its output. */
export interface ScreenPlace {
  rows: number
  cols: number
  /** Whether the supervisor has seen a program switch to the alternate screen. Undefined: the job has ended. */
  altScreen?: boolean
}

/** Bytes of the end of its output that a screen may depend on. */
export const screenBytes = maxReplayBytes

/** @throws {BashError} ERR_INVALID_INPUT */
export function checkScreenParts(field: string, given: unknown): ScreenParts {
  const { scrollback, styles } = checkObject(field, given, ['scrollback', 'styles'])
  return {
    scrollback: checkFlag(`${field}.scrollback`, scrollback),
    styles: checkFlag(`${field}.styles`, styles),
  }
}

/** Never rejects: a screen that cannot be drawn is `unavailable`. */
export async function drawScreen(
  end: OutputEnd,
  place: ScreenPlace,
  parts: ScreenParts = {},
): Promise<ScreenAnswer> {
  return await screens().replayScreen(replayOf(end, place), parts)
}

/** A screen is drawn from where it was last cleared: to draw all of a long output takes longer. */
function replayOf({ bytes, offset, isMissing }: OutputEnd, { rows, cols, altScreen }: ScreenPlace): Replay {
  const tracker = new TerminalTracker()
  tracker.skip(offset)
  tracker.write(bytes)
  const start = tracker.replayStart(offset)
  // It was switched to before what there is of the output.
  const wasAlternate = altScreen === true && !tracker.alternate
  return {
    bytes: bytes.subarray(start.offset - offset),
    offset: start.offset,
    // Which sizes it had before, nothing tells.
    sizes: [{ offset: 0, rows, columns: cols }],
    alternate: start.alternate || wasAlternate,
    incomplete: start.incomplete || isMissing,
  }
}
