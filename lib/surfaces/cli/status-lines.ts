// What the program says about a command beside its output, on stderr.

import type { BashResult } from '../../commands/run/result.js'
import { humanizeBytes } from '../../processes/output/bytes.js'
import { binaryNotice, resultText } from '../../tools/bash-text.js'
import { paint, type Style } from './colors.js'
import { drain, writeText } from './stdio.js'

/** The lines of the tool's own text that are no output; empty when the command succeeded and there is nothing to add. */
export function statusLines(result: BashResult): string[] {
  // No later call of a session wants what this one did not leave it.
  const { savedOutput, savedOutputBytes, savedOutputError, sessionUnsaved, readable, ...rest } = result
  // Output that is an empty line: without any, a success would read `[no output]`.
  const text = resultText({ ...rest, output: '\n', truncated: false, binary: false }, '', stopJob)
  return text.split('\n').filter((line) => line !== '')
}

const stopJob = (id: string) => `bashward jobs kill ${id}`

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
  if (binary) notes.push(binaryNotice)
  return notes
}

export interface StatusOptions {
  /** Whether the next character on stderr would not begin a line. */
  isMidLine: boolean
  /** How the first line looks; what is to be known beside it is yellow. */
  style: Style
  signal?: AbortSignal
}

export async function printStatus(
  lines: string[],
  { isMidLine, style, signal }: StatusOptions,
): Promise<void> {
  const { stderr } = process
  if (lines.length === 0) return
  let current = style
  const painted = lines.map((line, index) => {
    // A line of its own, and not one more of a message that has several.
    if (index > 0 && line.startsWith('[')) current = 'yellow'
    return paint(stderr, current, line)
  })
  // Written even when nothing is waited for any more.
  stderr.write(`${isMidLine ? '\n' : ''}${painted.join('\n')}\n`)
  await drain(stderr, signal)
}

/** Says what could be done next: to a person, and to no program that reads stderr. */
export async function printHint(hint: string): Promise<void> {
  if (process.stderr.isTTY) await writeText(process.stderr, `${paint(process.stderr, 'dim', hint)}\n`)
}
