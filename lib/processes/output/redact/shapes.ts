// Tokens known by their shape alone, whoever has issued them.

import type { Found } from './found.js'

export interface Shape {
  name: string
  /** Global. Tried on text of one character for each byte. */
  pattern: RegExp
  /** Matches where one begins that the text ends in. */
  beginning: RegExp
}

/** Bytes of the longest token or key that is known as one wherever it is cut. */
export const longestShape = 16 * 1024

/** Of what a token consists, and what its neighbours are known by. */
const isOfToken = new Uint8Array(256)
for (const byte of Buffer.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=.:@%&?~-',
)) {
  isOfToken[byte] = 1
}

const keyBegin = '-----BEGIN '
const keyHeader = /^-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|$)/
const keyEnd = '-----END '
const endOfKey =
  /^[A-Za-z0-9+/=]*(?:(?:\r?\n|\\n)[A-Za-z0-9+/=]{0,80})*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----/
/** A token that is too short to be known as one. */
const mostBegun = 256
const begunToken =
  /(?<![\w-])(?:eyJ\w{5}|(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{4}|AIza\w{4}|ya29\.|GOCSPX-|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|npm_|pypi-|dckr_|hf_|sk-|gsk_|xai-|pplx-|[rs]k_(?:live|test)_|whsec_|SG\.|do[opr]_v1_|hv[sb]\.|lin_api_|xox[a-z]-|xapp-)[\w+/=.-]{4,}$/

/** What a gap behind the bytes has left of a token or a key. */
export function shapeBeforeGap(bytes: Buffer): Found | undefined {
  const start = begunKey(bytes)
  if (start < bytes.length) return { start, end: bytes.length, name: 'private-key' }
  const from = Math.max(0, bytes.length - mostBegun)
  const found = begunToken.exec(bytes.toString('latin1', from))
  return found === null ? undefined : { start: from + found.index, end: bytes.length, name: 'token' }
}

/** What a gap before the bytes has left of a key: nothing tells the end of a token. */
export function shapeBehindGap(bytes: Buffer): Found | undefined {
  const found = endOfKey.exec(bytes.toString('latin1', 0, longestShape))?.[0]
  return found === undefined ? undefined : { start: 0, end: found.length, name: 'private-key' }
}

/** Where a key begins that does not end; the length of the bytes where none does. */
function begunKey(bytes: Buffer): number {
  const from = Math.max(0, bytes.length - longestShape)
  const text = bytes.toString('latin1', from)
  const begin = text.lastIndexOf(keyBegin)
  if (begin < 0 || text.includes(keyEnd, begin)) return bytes.length
  return keyHeader.test(text.slice(begin, begin + 80)) ? from + begin : bytes.length
}

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

/** Where a token begins that may go on behind the bytes; their length where none does. */
export function unfinishedShape(bytes: Buffer, shapes: readonly Shape[]): number {
  const least = Math.max(0, bytes.length - longestShape)
  let start = bytes.length
  while (start > least && isOfToken[bytes[start - 1] as number] === 1) start--
  const word = bytes.toString('latin1', start)
  const places = shapes.flatMap(({ beginning, pattern }) => [
    beginning.exec(word)?.index ?? word.length,
    // One that is whole may go on, too. An expression that asks for the end would look at each place from each other.
    ...[...word.matchAll(pattern)].map((found) => (endOf(found) === word.length ? found.index : word.length)),
  ])
  return Math.min(begunKey(bytes), start + Math.min(...places))
}

const endOf = ({ 0: text, index }: RegExpExecArray): number => index + text.length
