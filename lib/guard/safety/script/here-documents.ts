// Here-documents, found in the text: after the operator's line, up to the line that is the delimiter.

import type { Span } from './script.js'

/** Where the tree has the body, which is to be where the text has it: behind the next newline. */
export interface HereDocument {
  start: number
  /** Behind the line of the delimiter. */
  next: number
}

export interface Delimiter {
  text: string
  /** Any part of it is: the body is taken as it is. */
  quoted: boolean
}

/** @param start of its first line */
export function findBody(
  text: string,
  start: number,
  delimiter: Delimiter,
  tabbed: boolean,
): Span & HereDocument {
  for (let line = start; ; ) {
    let end = endOfLine(text, line)
    if (!delimiter.quoted) while (isEscaped(text, end, line)) end = endOfLine(text, end + 1)
    let candidate = text.slice(line, end)
    if (!delimiter.quoted) candidate = candidate.replaceAll('\\\n', '')
    if (tabbed) candidate = candidate.replace(/^\t+/, '')
    if (candidate === delimiter.text) {
      return { start, end: line, next: Math.min(end + 1, text.length) }
    }
    // bash warns, and takes what there is.
    if (end >= text.length) return { start, end: text.length, next: text.length }
    line = end + 1
  }
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from)
  return newline === -1 ? text.length : newline
}

/** Whether the newline has an odd number of backslashes before it. */
function isEscaped(text: string, newline: number, from: number): boolean {
  let at = newline
  while (at > from && text[at - 1] === '\\') at--
  return newline < text.length && (newline - at) % 2 === 1
}
