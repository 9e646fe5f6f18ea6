// What the thread that draws screens is told, and what it answers.

import type { Screen } from './screen.js'

/** Output of the program, or another size of its terminal, in their order. */
export type Step = { bytes: Uint8Array } | { rows: number; columns: number }

/** What of a screen is wanted beside its text. */
export interface ScreenParts {
  scrollback?: boolean
  styles?: boolean
}

export interface Order {
  steps: readonly Step[]
  parts: ScreenParts
}

/** The thread's first message: where its processor time is told, a directory of /proc. Empty where there is no /proc. */
export interface Ready {
  thread: string
}

export type Drawn = Omit<Screen, 'incomplete'>

/** @param workerData of the thread */
export interface FirstSize {
  rows: number
  columns: number
}
