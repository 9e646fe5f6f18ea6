// Tokens known by their shape alone, whoever has issued them.

import type { Found } from './found.js'

export interface Shape {
  name: string
  /** Global. Tried on text of one character for each byte. */
  pattern: RegExp
}

/** Of what a token consists, and what its neighbours are known by. */
const unfinished = /[\w+/=.:@%&?~-]{1,1024}$/
const keyBegin = '-----BEGIN '
const keyEnd = '-----END '
const mostKeyBytes = 16 * 1024

export function shapesIn(bytes: Buffer, shapes: readonly Shape[]): Found[] {
  const text = bytes.toString('latin1')
  return shapes.flatMap(({ name, pattern }) =>
    [...text.matchAll(pattern)].map(({ 0: { length }, index }) => ({
      start: index,
      end: index + length,
      name,
    })),
  )
}

/** Where a token may begin that goes on behind the bytes; their length where none does. */
export function unfinishedShape(bytes: Buffer): number {
  const text = bytes.subarray(-mostKeyBytes).toString('latin1')
  const before = bytes.length - text.length
  const begin = text.lastIndexOf(keyBegin)
  if (begin >= 0 && !text.includes(keyEnd, begin)) return before + begin
  const length = unfinished.exec(text.slice(-1024))?.[0].length ?? 0
  return bytes.length - length
}
