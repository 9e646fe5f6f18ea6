// The last lines of an output.

import type { FileHandle } from 'node:fs/promises'
import { type Extent, readBytes } from './extent.js'

const chunkBytes = 64 * 1024
/** Lines that are longer in all begin where this is reached. */
const maxBytes = 8 * 1024 * 1024
const newline = 0x0a

/** The part of `extent` that holds its last `count` lines. The newline that ends the last of them begins no other. */
export async function lastLinesOf(file: FileHandle, extent: Extent, count: number): Promise<Extent> {
  const { start, end } = extent
  const least = Math.max(start, end - maxBytes)
  let left = count
  for (let chunkEnd = end; chunkEnd > least; ) {
    const chunkStart = Math.max(least, chunkEnd - chunkBytes)
    const chunk = await readBytes(file, chunkStart, chunkEnd)
    let at = chunk.length
    if (chunkEnd === end && chunk.at(-1) === newline) at -= 1
    for (at = lastNewline(chunk, at); at >= 0; at = lastNewline(chunk, at)) {
      left -= 1
      if (left === 0) return { ...extent, start: chunkStart + at + 1 }
    }
    chunkEnd = chunkStart
  }
  return { ...extent, start: least }
}

/** Before `end`; -1: none. */
const lastNewline = (chunk: Buffer, end: number): number =>
  end <= 0 ? -1 : chunk.lastIndexOf(newline, end - 1)

/** The last lines of a text, likewise. */
export function lastLines(text: string, count: number): string {
  let at = text.endsWith('\n') ? text.length - 1 : text.length
  for (let left = count; left > 0; left -= 1) {
    at = at <= 0 ? -1 : text.lastIndexOf('\n', at - 1)
    if (at < 0) return text
  }
  return text.slice(at + 1)
}
