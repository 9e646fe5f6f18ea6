// What a command prints, without the secrets that it was not given, and without the token that it has for the proxy. Loaded
// with the first command that has either.

import { constants } from 'node:fs'
import { openOwnFile } from '../../base/util/regular-file.js'
import { type Completion, Outcome } from '../../processes/engine/completion.js'
import type { OutputListener } from '../../processes/engine/engine.js'
import type { CapturedStream } from '../../processes/output/decode.js'
import { shortWaitMs } from '../../processes/output/redact/finder.js'
import { leastBytes } from '../../processes/output/redact/forms.js'
import type { Found } from '../../processes/output/redact/found.js'
import {
  type Edges,
  Redactor,
  replace,
  splitAtNewlines,
  type Tally,
  within,
  withoutFound,
} from '../../processes/output/redact/redactor.js'

/** Of a stream. */
interface Waiting {
  bytes: Buffer
  /** Bytes left out before them. */
  dropped: number
  /** Whether they may begin inside a secret. */
  isBehindGap: boolean
  /** The first of them that were passed on all the same: what follows may still make them a secret. */
  shown: number
  /** As `performance.now()` counts. */
  since: number
  /** Whether they are passed on before that is decided. */
  isShort?: boolean
}

interface ListenOptions {
  /** There are as many lines then as there were. */
  keepsLines?: boolean
  /** Somebody watches: a few bytes do not wait for long. */
  isLive?: boolean
}

interface EndOptions {
  /** There are as many lines then as there were. */
  keepsLines?: boolean
  completion?: Completion
}

export class Redaction {
  readonly #redactor: Redactor
  readonly #secrets: readonly string[]
  readonly #waiting = new Map<number, Waiting>()
  #timer: NodeJS.Timeout | undefined
  readonly #tally: Tally = new Map()

  /**
   * @param secrets ASCII; stars take their place
   * @param redactor takes out what else is secret
   */
  constructor(secrets: readonly string[], redactor = new Redactor([])) {
    this.#secrets = secrets
    this.#redactor = redactor.withStars(secrets)
  }

  /** How often what was taken out of the completion. */
  get counts(): Record<string, number> | undefined {
    return this.#tally.size === 0 ? undefined : Object.fromEntries(this.#tally)
  }

  /** Passes on what comes live. What may be the beginning of a secret waits for what follows. */
  listener(next: OutputListener, options: ListenOptions = {}): OutputListener {
    return (stream, bytes, dropped) => {
      if (dropped > 0) this.#release(stream, next)
      this.#add(stream, bytes, dropped, next, options)
    }
  }

  #add(stream: number, bytes: Buffer, dropped: number, next: OutputListener, options: ListenOptions): void {
    const waiting = this.#take(stream)
    const joined = waiting === undefined ? bytes : Buffer.concat([waiting.bytes, bytes])
    const { shown = 0, since = performance.now() } = waiting ?? {}
    const gap = { dropped: waiting?.dropped ?? dropped, isBehindGap: waiting?.isBehindGap ?? dropped > 0 }
    // What a gap has left of a secret is known by its end.
    if (gap.isBehindGap && joined.length < this.#redactor.longest) {
      this.#keep(stream, { ...gap, bytes: Buffer.from(joined), shown, since }, true, next, options)
      return
    }
    const found = gap.isBehindGap ? this.#redactor.findBehindGap(joined) : this.#redactor.find(joined)
    let { start: end, isShort } = this.#redactor.unfinished(joined)
    // What has been found there may be longer when more has come.
    end = found.find((each) => each.start < end && each.end > end)?.start ?? end
    const part = { ...gap, bytes: joined, shown, since }
    if (joined.length - end > this.#redactor.reach) {
      this.#giveUp(stream, part, next)
      return
    }
    if (end < joined.length) {
      const isOld = waiting !== undefined && end < waiting.bytes.length
      const rest = {
        ...{ bytes: Buffer.from(joined.subarray(end)), dropped: 0, isBehindGap: false },
        ...{ shown: Math.max(0, shown - end), since: isOld ? since : performance.now() },
      }
      this.#keep(stream, rest, isShort, next, options)
    }
    this.#pass(stream, part, found, end, next, options)
  }

  #take(stream: number): Waiting | undefined {
    const waiting = this.#waiting.get(stream)
    this.#waiting.delete(stream)
    return waiting
  }

  #keep(
    stream: number,
    waiting: Waiting,
    isShort: boolean,
    next: OutputListener,
    options: ListenOptions,
  ): void {
    this.#waiting.set(stream, waiting)
    if (!isShort || options.isLive !== true || waiting.shown === waiting.bytes.length) return
    waiting.isShort = true
    this.#timer ??= this.#showLater(shortWaitMs, next, options)
  }

  /** One timer for all that comes: a flood would set and clear one for each piece. */
  #showLater(inMs: number, next: OutputListener, options: ListenOptions): NodeJS.Timeout {
    return setTimeout(() => {
      const due = performance.now() - shortWaitMs
      let leftMs = Number.POSITIVE_INFINITY
      for (const [stream, waiting] of this.#waiting) {
        if (waiting.isShort !== true) continue
        if (waiting.since <= due) this.#showAnyway(stream, waiting, next, options)
        else leftMs = Math.min(leftMs, waiting.since - due)
      }
      this.#timer = leftMs < Number.POSITIVE_INFINITY ? this.#showLater(leftMs, next, options) : undefined
    }, Math.ceil(inMs)).unref()
  }

  /** They stay what a secret may begin with. */
  #showAnyway(stream: number, waiting: Waiting, next: OutputListener, options: ListenOptions): void {
    const { bytes, isBehindGap } = waiting
    waiting.isShort = false
    if (isBehindGap && bytes.length >= leastBytes && this.#redactor.hasPart(bytes)) return
    const found = this.#redactor.findIn(bytes, { isBehindGap, isBeforeGap: false })
    const passed = { ...waiting }
    Object.assign(waiting, { shown: bytes.length, dropped: 0, isBehindGap: false })
    this.#pass(stream, passed, found, bytes.length, next, options)
  }

  /** Passes on what comes before `end`, and has not been passed on. */
  #pass(
    stream: number,
    { bytes, shown, dropped }: Waiting,
    found: readonly Found[],
    end: number,
    next: OutputListener,
    { keepsLines = false }: ListenOptions = {},
  ): void {
    if (end <= shown && dropped === 0) return
    const part = bytes.subarray(shown, end)
    const hidden = within(found, shown, Math.max(shown, end))
    next(stream, replace(part, keepsLines ? splitAtNewlines(part, hidden) : hidden), dropped)
  }

  /** Passes on what waits. @param completion of the command; undefined: all of its output is there */
  end(next: OutputListener, { keepsLines = false, completion }: EndOptions = {}): void {
    const isBeforeGap = completion !== undefined && !isWhole(completion)
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const stream of [...this.#waiting.keys()]) {
      const waiting = this.#take(stream)
      if (waiting === undefined) continue
      const { bytes, isBehindGap } = waiting
      const found = this.#redactor.findIn(bytes, { isBehindGap, isBeforeGap })
      this.#pass(stream, waiting, found, bytes.length, next, { keepsLines })
    }
  }

  /** At a gap. */
  #release(stream: number, next: OutputListener): void {
    const waiting = this.#take(stream)
    if (waiting !== undefined) this.#passPieces(stream, waiting, next)
  }

  /** Of something that goes on and on, with escape sequences in it, the parts are taken out. */
  #giveUp(stream: number, part: Waiting, next: OutputListener): void {
    const nothing = { bytes: empty, dropped: 0, isBehindGap: true, shown: 0, since: performance.now() }
    this.#waiting.set(stream, nothing)
    this.#passPieces(stream, part, next)
  }

  #passPieces(stream: number, waiting: Waiting, next: OutputListener): void {
    const { bytes, isBehindGap } = waiting
    const found = this.#redactor.findIn(bytes, { isBehindGap, isBeforeGap: true })
    this.#pass(stream, waiting, found, bytes.length, next)
  }

  /** Of something else that the command has chosen. */
  text(text: string): string {
    return this.#redactor.text(text)
  }

  /** Of output that is decoded once the rest is taken out: what is taken out of it counts, too. */
  decoded(text: string, edges: Edges, completion: Completion): string {
    const isBeforeGap = edges.isBeforeGap || !isWhole(completion)
    return withoutFound(text, this.#redactor, { ...edges, isBeforeGap }, this.#tally)
  }

  /** With everything in it that the command has chosen. */
  completion(completion: Completion): Completion {
    const { streams, survivors, report } = completion
    const isBeforeGap = !isWhole(completion)
    const hide = (text: string, maxBytes: number) => this.#redactor.text(text, this.#tally, maxBytes)
    return {
      ...completion,
      streams: [this.#stream(streams[0], isBeforeGap), this.#stream(streams[1], isBeforeGap)],
      survivors: survivors.map((survivor) => ({
        ...survivor,
        command: hide(survivor.command, cutCommandBytes),
      })),
      report: report && {
        ...report,
        denials: report.denials.map(({ operation, target }) => ({
          operation,
          target: hide(target, cutPathBytes),
        })),
        changed: report.changed.map((path) => hide(path, cutPathBytes)),
      },
    }
  }

  /** Sizes are those of what is left; `printed` keeps that of what was printed. */
  #stream(stream: CapturedStream | string, isBeforeGap: boolean): CapturedStream | string {
    if (typeof stream === 'string') {
      const bytes = Buffer.from(stream)
      const found = this.#redactor.findIn(bytes, { isBehindGap: false, isBeforeGap })
      if (found.length === 0) return stream
      const head = replace(bytes, found, this.#tally)
      if (head.length === bytes.length) return head.toString()
      return { head, tail: empty, total: head.length, printed: bytes.length }
    }
    const { total } = stream
    const missing = total - stream.head.length - stream.tail.length
    // Nothing is missing: head and tail are one.
    const whole = missing === 0 && stream.tail.length > 0
    const before = whole ? Buffer.concat([stream.head, stream.tail]) : stream.head
    const hasGap = missing > 0
    const inHead = { isBehindGap: false, isBeforeGap: hasGap || isBeforeGap }
    const head = replace(before, this.#redactor.findIn(before, inHead), this.#tally)
    const inTail = { isBehindGap: true, isBeforeGap }
    const tail = whole ? empty : replace(stream.tail, this.#redactor.findIn(stream.tail, inTail), this.#tally)
    const left = head.length + tail.length + missing
    return { head, tail, total: left, ...(left !== total && { printed: total }) }
  }

  /** Of a saved file: only what stars replace. @throws as `openOwnFile` */
  async file(path: string): Promise<void> {
    if (this.#secrets.length === 0) return
    const redactor = new Redactor([]).withStars(this.#secrets)
    const file = await openOwnFile(path, constants.O_RDWR)
    try {
      const chunk = Buffer.alloc(chunkBytes)
      const overlap = Math.max(...this.#secrets.map(({ length }) => length))
      for (let position = 0; ; position += chunkBytes - overlap) {
        const { bytesRead } = await file.read(chunk, 0, chunkBytes, position)
        const bytes = chunk.subarray(0, bytesRead)
        const found = redactor.find(bytes)
        if (found.length > 0) await file.write(replace(bytes, found), 0, bytesRead, position)
        if (bytesRead < chunkBytes) return
      }
    } finally {
      await file.close()
    }
  }
}

/** Whether nothing follows: what was cut short, or goes on as a job, may end in the middle of a secret. */
function isWhole({ outcome, adopted, isJob }: Completion): boolean {
  return outcome === Outcome.ended && !adopted && !isJob
}

const chunkBytes = 1024 * 1024

/** What the engines give has at least so many bytes where they have cut it: with room for a character that was cut. */
const cutCommandBytes = 196
const cutPathBytes = 4092
const empty = Buffer.alloc(0)
