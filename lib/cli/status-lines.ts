// What the program says about a command beside its output, on stderr.

import { humanizeBytes } from '../output/bytes.js'
import type { BashResult } from '../result.js'
import { bashText } from '../tools/bash-text.js'

export interface Shown {
  /** Whether a person sees the output and the markers in it. */
  isWatched: boolean
  /** Bytes that a marker stands for. */
  skippedBytes: number
}

/** Empty when the command succeeded and there is nothing to add. */
export function statusLines(result: BashResult, shown: Shown): string {
  return [...statusOf(result), ...(shown.isWatched ? [] : notesOn(result, shown.skippedBytes))].join('\n')
}

/** The model's own status lines, without the output. */
function statusOf(result: BashResult): string[] {
  if (result.status === 'completed' && result.survivors.length === 0) return []
  const text = bashText({ ...result, output: '', truncated: false })
  return text === '' ? [] : [text]
}

/** What the reader of a pipe or a file would not know of the output in it. */
function notesOn({ binary, outputBytes }: BashResult, skippedBytes: number): string[] {
  const notes: string[] = []
  if (skippedBytes > 0) {
    const sizes = `${humanizeBytes(skippedBytes)} of ${humanizeBytes(outputBytes)}`
    notes.push(`[output is not complete: ${sizes} skipped]`)
  }
  if (binary) notes.push('[output is not text: invalid UTF-8 is shown as \uFFFD, NULs as \u2400]')
  return notes
}
