// One output of a command: read, bounded, counted, and shown live to who listens.

import { HeadTailBuffer } from './head-tail-buffer.js'
import type { LiveWindow } from './live-window.js'
import { PipeReader } from './pipe-reader.js'
import type { SavedOutput } from './saved-output.js'

export interface OutputSinks {
  live: LiveWindow | undefined
  saved: SavedOutput | undefined
  /** Called once, when every write end is closed. */
  onEnd: () => void
}

export class OutputStream {
  readonly captured: HeadTailBuffer
  readonly #sinks: OutputSinks
  readonly #reader: PipeReader
  /** Whether what comes is still the command's output. */
  #keeps = true
  #saving = false

  /** @param fd the read end of a pipe, not blocking; the stream closes it */
  constructor(fd: number, { head, tail }: { head: number; tail: number }, sinks: OutputSinks) {
    this.captured = new HeadTailBuffer(head, tail)
    this.#sinks = sinks
    this.#reader = new PipeReader(fd, {
      onBytes: (bytes) => !this.#keeps || this.#keep(bytes),
      onEnd: () => {
        if (this.#keeps) sinks.live?.end()
        sinks.onEnd()
      },
    })
    if (sinks.saved !== undefined) sinks.saved.onRelief = () => this.#reader.resume()
  }

  get ended(): boolean {
    return this.#reader.ended
  }

  readAvailable(): void {
    this.#reader.readAvailable()
  }

  /** Reads on and forgets it, so that survivors neither block nor die of SIGPIPE as long as this process lives. */
  letGo(): void {
    this.#keeps = false
    this.#sinks.live?.end()
    this.#reader.resume()
    this.#reader.unref()
  }

  close(): void {
    this.#reader.close()
  }

  /** @returns false when no more can be taken for now */
  #keep(bytes: Buffer): boolean {
    const { live, saved } = this.#sinks
    if (saved !== undefined) {
      // The first byte that the head has no room for begins the file; what came before is in the head.
      if (!this.#saving && this.captured.headRoom < bytes.length) {
        this.#saving = true
        saved.append(this.captured.head)
      }
      if (this.#saving) saved.append(bytes)
    }
    this.captured.append(bytes)
    live?.append(bytes)
    return saved?.congested !== true
  }
}
