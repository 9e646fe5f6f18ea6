// Takes secrets out of what a command prints: their texts, also with colours and carriage returns in them, and optionally
// whatever has the shape of a token. Loaded when there is something to take out.

import { Finder } from './finder.js'
import { leastBytes, type Needle, needlesOf } from './forms.js'
import { type Found, merged } from './found.js'
import {
  longestShape,
  type Shape,
  shapeBeforeGap,
  shapeBehindGap,
  shapesIn,
  unfinishedShape,
} from './shapes.js'
import { visibleOf } from './visible.js'

/** How often each name has taken the place of something. */
export type Tally = Map<string, number>

/** What may be missing of something at the ends of bytes. */
export interface Edges {
  isBehindGap: boolean
  isBeforeGap: boolean
}

export interface Unfinished {
  /** The length of the bytes where nothing begins. */
  start: number
  /** Of so few bytes that nobody learns anything from them: it need not wait long for what follows. */
  isShort: boolean
}

/** Bytes of escape sequences inside a text at the edge of what is looked at. */
const slackBytes = 4096

export class Redactor {
  readonly #finders: readonly Finder[]
  readonly #shapes: readonly Shape[]
  /** So far before and behind a part something may begin or end that reaches into it. */
  readonly reach: number
  /** Bytes of the longest text that is looked for. */
  readonly longest: number

  constructor(finders: readonly Finder[], shapes: readonly Shape[] = []) {
    this.#finders = finders
    this.#shapes = shapes
    this.longest = Math.max(0, ...finders.map((finder) => finder.longest))
    this.reach = Math.max(this.longest, shapes.length === 0 ? 0 : longestShape) + slackBytes
  }

  /** Looks for these as well, in whose place stars stand: as many, so that they change no length. */
  withStars(texts: readonly string[]): Redactor {
    if (texts.length === 0) return this
    const needles: Needle[] = texts.map((text) => ({ bytes: Buffer.from(text), name: '' }))
    return new Redactor([...this.#finders, new Finder(needles)], this.#shapes)
  }

  /** What is to be taken out, from left to right. */
  find(bytes: Buffer): Found[] {
    const found = this.#findPlain(bytes)
    const visible = visibleOf(bytes)
    if (visible !== undefined) {
      for (const { start, end, name } of this.#findPlain(visible.bytes)) {
        found.push({ start: visible.placeOf(start), end: visible.placeOf(end - 1) + 1, name })
      }
    }
    return found.length > 1 ? merged(found) : found
  }

  #findPlain(bytes: Buffer): Found[] {
    const found = this.#finders.flatMap((finder) => finder.find(bytes))
    return this.#shapes.length === 0 ? found : found.concat(shapesIn(bytes, this.#shapes))
  }

  /** What begins at the end of the bytes, and may go on behind them. */
  unfinished(bytes: Buffer): Unfinished {
    const start = this.#unfinishedPlain(bytes)
    const visible = visibleOf(bytes)
    const plain = { start, isShort: bytes.length - start < leastBytes }
    if (visible === undefined) return plain
    const shownStart = this.#unfinishedPlain(visible.bytes)
    const shown = {
      start: visible.placeOf(shownStart),
      isShort: visible.bytes.length - shownStart < leastBytes,
    }
    return shown.start < start ? shown : plain
  }

  /** Whether the bytes may be from the middle of a text. */
  hasPart(bytes: Buffer): boolean {
    return this.#finders.some((finder) => finder.hasPart(bytes))
  }

  #unfinishedPlain(bytes: Buffer): number {
    const start = Math.min(bytes.length, ...this.#finders.map((finder) => finder.unfinishedStart(bytes)))
    return this.#shapes.length === 0 ? start : Math.min(start, unfinishedShape(bytes, this.#shapes))
  }

  /** With what gaps beside the bytes have left of something. */
  findIn(bytes: Buffer, { isBehindGap, isBeforeGap }: Edges): Found[] {
    if (isBehindGap && isBeforeGap)
      return merged([...this.findBeforeGap(bytes), ...this.findBehindGap(bytes)])
    if (isBeforeGap) return this.findBeforeGap(bytes)
    return isBehindGap ? this.findBehindGap(bytes) : this.find(bytes)
  }

  /** With what a gap behind the bytes has left of something. */
  findBeforeGap(bytes: Buffer): Found[] {
    const found = this.find(bytes)
    const visible = visibleOf(bytes)
    for (const pieceOf of this.#piecesBeforeGap) {
      const piece = pieceOf(bytes)
      if (piece !== undefined) found.push(piece)
      const shown = visible && pieceOf(visible.bytes)
      if (visible === undefined || shown === undefined) continue
      found.push({ ...shown, start: visible.placeOf(shown.start), end: bytes.length })
    }
    return merged(found)
  }

  get #piecesBeforeGap(): ((bytes: Buffer) => Found | undefined)[] {
    const texts = this.#finders.map((finder) => (bytes: Buffer) => finder.pieceBeforeGap(bytes))
    return this.#shapes.length === 0 ? texts : [...texts, shapeBeforeGap]
  }

  /** With what a gap before the bytes has left of something. */
  findBehindGap(bytes: Buffer): Found[] {
    const found = this.find(bytes)
    const visible = visibleOf(bytes)
    for (const pieceOf of this.#piecesBehindGap) {
      const piece = pieceOf(bytes)
      if (piece !== undefined) found.push(piece)
      const shown = visible && pieceOf(visible.bytes)
      if (visible === undefined || shown === undefined) continue
      found.push({ ...shown, end: visible.placeOf(shown.end - 1) + 1 })
    }
    return merged(found)
  }

  get #piecesBehindGap(): ((bytes: Buffer) => Found | undefined)[] {
    const texts = this.#finders.map((finder) => (bytes: Buffer) => finder.pieceBehindGap(bytes))
    return this.#shapes.length === 0 ? texts : [...texts, shapeBehindGap]
  }

  /** @param maxBytes one with so many bytes may have been cut, and end with a piece of something */
  text(text: string, tally?: Tally, maxBytes = Number.POSITIVE_INFINITY): string {
    const bytes = Buffer.from(text)
    const found = bytes.length < maxBytes ? this.find(bytes) : this.findBeforeGap(bytes)
    return found.length === 0 ? text : replace(bytes, found, tally).toString()
  }
}

/** A part of a text. @param tally counts what is taken out */
export function withoutFound(text: string, redactor: Redactor, edges: Edges, tally?: Tally): string {
  const bytes = Buffer.from(text)
  const found = redactor.findIn(bytes, edges)
  return found.length === 0 ? text : replace(bytes, found, tally).toString()
}

/** The bytes with a mark in the place of each thing found. @param tally counts them */
export function replace(bytes: Buffer, found: readonly Found[], tally?: Tally): Buffer {
  const parts: Buffer[] = []
  let at = 0
  for (const { start, end, name } of found) {
    parts.push(bytes.subarray(at, start), markOf(name, end - start))
    at = end
    if (name !== '') tally?.set(name, (tally.get(name) ?? 0) + 1)
  }
  return Buffer.concat([...parts, bytes.subarray(at)])
}

function markOf(name: string, length: number): Buffer {
  return name === '' ? Buffer.alloc(length, '*') : Buffer.from(`[removed: ${name}]`)
}

/** What was found as far as it lies in a part of the bytes, in whose offsets it is then. */
export function within(found: readonly Found[], from: number, to: number): Found[] {
  return found
    .filter(({ start, end }) => Math.min(end, to) > Math.max(start, from))
    .map(({ start, end, name }) => ({
      start: Math.max(start, from) - from,
      end: Math.min(end, to) - from,
      name,
    }))
}

/** Each line of what was found for itself, without the newlines: then there are as many lines after replacing as before. */
export function splitAtNewlines(bytes: Buffer, found: readonly Found[]): Found[] {
  return found.flatMap(({ start, end, name }) => {
    const lines: Found[] = []
    for (let at = start; at < end; ) {
      const newline = bytes.indexOf('\n', at)
      const lineEnd = newline === -1 || newline > end ? end : newline
      if (lineEnd > at) lines.push({ start: at, end: lineEnd, name })
      at = lineEnd + 1
    }
    return lines
  })
}

/** A finder for values by their names, with every form of each. */
export function finderOf(values: readonly (readonly [name: string, value: string])[]): Finder {
  return new Finder(values.flatMap(([name, value]) => needlesOf(name, value)))
}
