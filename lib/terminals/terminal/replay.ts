// The screen of a job from its log, drawn anew: a part of the output, and the sizes that its terminal had.

import { maxReplayBytes } from './limits.js'
import { LiveScreen } from './live-screen.js'
import type { ScreenParts, Step } from './orders.js'
import type { ScreenAnswer } from './screen.js'
import { maxTerminal } from './size.js'

/** From `offset` on the terminal had this size: a TIOCSWINSZ. */
export interface SizeNote {
  /** Bytes that the program had printed by then. */
  offset: number
  rows: number
  columns: number
}

export interface Replay {
  /** The output from `offset` on. Of more than 4 MiB the last part is drawn, and the screen is incomplete. */
  bytes: Uint8Array
  /** Of the first byte in the output. Default 0. */
  offset?: number
  /** Default: 24 rows of 100 columns, always. */
  sizes?: readonly SizeNote[]
  /** Whether a program was in the alternate screen at `offset`. */
  alternate?: boolean
  /** Whether something is missing before `offset` that the screen depends on. */
  incomplete?: boolean
}

/** Where a part of the output begins in the middle of a line, or of a sequence, it is left out up to the next line. */
const maxPartialLine = 4096
const newline = 0x0a
const enterAlternate = Buffer.from('\x1b[?1049h')
/** The latest of a terminal that has been resized more often than people do. */
const maxSizes = 1000

/** One that is `unavailable` could not be drawn in time, or there is no thread for it. Never rejects. */
export async function replayScreen(replay: Replay, parts: ScreenParts = {}): Promise<ScreenAnswer> {
  const { first, steps, isCut } = planSteps(replay)
  const screen = new LiveScreen(first)
  try {
    const answer = await screen.draw(steps, parts)
    if ('unavailable' in answer) return answer
    return { ...answer, incomplete: isCut || replay.incomplete === true }
  } finally {
    await screen.close()
  }
}

export interface Plan {
  first: { rows: number; columns: number } | undefined
  steps: Step[]
  isCut: boolean
}

/** What is to be drawn, on a screen of the size `first`, or else the default. */
export function planSteps({
  bytes,
  offset = 0,
  sizes = [],
  alternate = false,
  incomplete = false,
}: Replay): Plan {
  const cut = Math.max(0, bytes.length - maxReplayBytes + enterAlternate.length)
  let at = cut + (cut > 0 || incomplete ? partialLine(bytes.subarray(cut)) : 0)
  const notes = sizes.filter((note) => note.offset >= 0).sort((a, b) => a.offset - b.offset)
  const later = notes.filter((note) => note.offset > offset + at)
  const first = notes[notes.length - later.length - 1] ?? notes[0]
  const steps: Step[] = alternate ? [{ bytes: enterAlternate }] : []
  for (const note of later.slice(-maxSizes)) {
    const end = Math.min(note.offset - offset, bytes.length)
    if (end > at) steps.push({ bytes: bytes.subarray(at, end) })
    steps.push(clampSize(note))
    at = end
  }
  if (at < bytes.length) steps.push({ bytes: bytes.subarray(at) })
  return { first: first && clampSize(first), steps, isCut: cut > 0 }
}

function partialLine(bytes: Uint8Array): number {
  return bytes.subarray(0, maxPartialLine).indexOf(newline) + 1
}

/** What a file says of sizes, a job may have written there. */
const clampSize = ({ rows, columns }: SizeNote) => ({
  rows: clamp(rows, 1, maxTerminal.rows),
  columns: clamp(columns, 2, maxTerminal.cols),
})

const clamp = (value: number, least: number, most: number): number =>
  Math.min(Math.max(Math.trunc(value) || least, least), most)
