// What a command with a network prints, without the token that it has for the proxy. Loaded with the first of them.

import { open } from 'node:fs/promises'
import type { Completion, OutputListener } from '../engine/engine.js'
import type { CapturedStream } from '../output/decode.js'
import { redactBytes, redactEnd, redactStart, redactText, unfinishedLength } from '../output/redact.js'

export class Redaction {
  readonly #secrets: readonly string[]
  readonly #held = new Map<number, Buffer>()

  /** @param secrets ASCII */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets
  }

  /** Passes on what comes live. What may be the beginning of a secret waits for what follows. */
  listener(next: OutputListener): OutputListener {
    return (stream, bytes, dropped) => {
      if (dropped > 0) this.#release(stream, next)
      const held = this.#held.get(stream)
      const joined = held === undefined ? bytes : Buffer.concat([held, bytes])
      redactBytes(joined, this.#secrets)
      if (dropped > 0) redactStart(joined, this.#secrets)
      const length = unfinishedLength(joined, this.#secrets)
      const shown = joined.subarray(0, joined.length - length)
      if (length === 0) this.#held.delete(stream)
      else this.#held.set(stream, Buffer.from(joined.subarray(joined.length - length)))
      if (shown.length > 0 || dropped > 0) next(stream, shown, dropped)
    }
  }

  /** Passes on what waits. */
  end(next: OutputListener): void {
    for (const stream of [...this.#held.keys()]) this.#release(stream, next)
  }

  #release(stream: number, next: OutputListener): void {
    const held = this.#held.get(stream)
    if (held === undefined) return
    this.#held.delete(stream)
    redactEnd(held, this.#secrets)
    next(stream, held, 0)
  }

  /** With everything in it that the command has chosen. */
  completion(completion: Completion): Completion {
    const { streams, survivors, report } = completion
    const hide = (text: string) => redactText(text, this.#secrets)
    return {
      ...completion,
      streams: [this.#stream(streams[0]), this.#stream(streams[1])],
      survivors: survivors.map((survivor) => ({ ...survivor, command: hide(survivor.command) })),
      report: report && {
        ...report,
        denials: report.denials.map(({ operation, target }) => ({ operation, target: hide(target) })),
        changed: report.changed.map(hide),
      },
    }
  }

  #stream(stream: CapturedStream | string): CapturedStream | string {
    if (typeof stream === 'string') return redactText(stream, this.#secrets)
    const { head, tail } = stream
    for (const bytes of [head, tail]) redactBytes(bytes, this.#secrets)
    redactEnd(head, this.#secrets)
    redactStart(tail, this.#secrets)
    return stream
  }

  /** Of a saved file. @throws the system's error */
  async file(path: string): Promise<void> {
    const file = await open(path, 'r+')
    try {
      const chunk = Buffer.alloc(chunkBytes)
      const overlap = Math.max(...this.#secrets.map(({ length }) => length))
      for (let position = 0; ; position += chunkBytes - overlap) {
        const { bytesRead } = await file.read(chunk, 0, chunkBytes, position)
        const bytes = chunk.subarray(0, bytesRead)
        if (this.#secrets.some((secret) => bytes.includes(secret))) {
          redactBytes(bytes, this.#secrets)
          await file.write(bytes, 0, bytesRead, position)
        }
        if (bytesRead < chunkBytes) return
      }
    } finally {
      await file.close()
    }
  }
}

const chunkBytes = 1024 * 1024
