// What the program says about a command beside its output, on stderr.

import { humanizeBytes } from '../output/bytes.js'
import type { BashResult } from '../result.js'
import { resultText } from '../tools/bash-text.js'
import { drain, paint } from './stdio.js'

/** The lines of the tool's own text that are no output; empty when the command succeeded and there is nothing to add. */
export function statusLines(result: BashResult): string[] {
  const { savedOutput, savedOutputBytes, savedOutputError, ...rest } = result
  // Output that is an empty line: without any, a success would read `[no output]`.
  const text = resultText({ ...rest, output: '\n', truncated: false }, '')
  return text.split('\n').filter((line) => line !== '')
}

/** What the reader of a pipe or a file would not know of the output in it. */
export function outputNotes(
  { binary, outputBytes }: BashResult,
  gotBytes: number,
  reason?: string,
): string[] {
  const notes: string[] = []
  if (gotBytes < outputBytes) {
    const sizes = `these are the first ${humanizeBytes(gotBytes)} of ${humanizeBytes(outputBytes)}`
    notes.push(`[output is not complete: ${sizes}${reason === undefined ? '' : `; ${reason}`}]`)
  }
  if (binary) notes.push('[output is not text: invalid UTF-8 is shown as \uFFFD, NULs as \u2400]')
  return notes
}

export interface StatusOptions {
  /** Whether the next character on stderr would not begin a line. */
  isMidLine: boolean
  isGood: boolean
  signal?: AbortSignal
}

export async function printStatus(
  lines: string[],
  { isMidLine, isGood, signal }: StatusOptions,
): Promise<void> {
  const { stderr } = process
  if (lines.length === 0) return
  if (isMidLine) stderr.write('\n')
  const text = lines.join('\n')
  // Written even when nothing is waited for any more.
  stderr.write(`${isGood ? text : paint(stderr, 'red', text)}\n`)
  await drain(stderr, signal)
}
