// What a command prints: one pipe, or one for each of its streams. It is read, bounded, counted, and shown to a
// live listener.

import type { Completion } from '../completion.js'
import type { OutputListener } from '../engine.js'
import type { CommandRequest } from '../request.js'
import { HeadTailBuffer } from './head-tail-buffer.js'
import { LiveWindow } from './live-window.js'
import { PipeReader } from './pipe-reader.js'
import { SavedFile } from './saved-file.js'
import type { Pipe } from './temporary.js'

interface Stream {
  reader: PipeReader
  captured: HeadTailBuffer
  live: LiveWindow | undefined
  isSaving: boolean
}

const nothing = { head: Buffer.alloc(0), tail: Buffer.alloc(0), total: 0 }

export class CommandOutput {
  readonly #streams: Stream[]
  readonly #saved: SavedFile | undefined
  /** Whether what comes is still the command's output. */
  #keeps = true
  /** Fulfilled when nobody can write any more. */
  readonly end: Promise<void>

  /** Reads the pipes from now on, and closes their read ends. */
  constructor(pipes: readonly Pipe[], request: CommandRequest, onOutput: OutputListener | undefined) {
    const { savePath, saveLimit, headBytes, tailBytes } = request
    if (savePath !== '') this.#saved = new SavedFile(savePath, saveLimit, () => this.#resume())
    let fulfil = () => {}
    this.end = new Promise((resolve) => {
      fulfil = resolve
    })
    this.#streams = pipes.map(({ reader: fd }, index) => {
      const stream: Stream = {
        reader: new PipeReader(
          fd,
          (bytes) => !this.#keeps || this.#keep(stream, bytes),
          () => {
            stream.live?.end()
            if (this.ended) fulfil()
          },
        ),
        captured: new HeadTailBuffer(headBytes, tailBytes),
        live: onOutput && new LiveWindow((bytes, dropped) => onOutput(index, bytes, dropped)),
        isSaving: false,
      }
      return stream
    })
  }

  get ended(): boolean {
    return this.#streams.every(({ reader }) => reader.ended)
  }

  /** Reads what is in the pipes now. */
  readAvailable(): void {
    for (const { reader } of this.#streams) reader.readAvailable()
  }

  close(): void {
    for (const { reader } of this.#streams) reader.close()
  }

  /** Reads on and forgets it, so that survivors neither block nor die of SIGPIPE as long as this process lives. */
  letGo(): void {
    this.#keeps = false
    for (const { reader, live } of this.#streams) {
      live?.end()
      reader.unref()
    }
    this.#resume()
  }

  #resume(): void {
    for (const { reader } of this.#streams) reader.resume()
  }

  /** What was kept, and what became of the file for long output. */
  async captured(): Promise<Pick<Completion, 'streams' | 'savedBytes' | 'saveErrno'>> {
    const [first = nothing, second = nothing] = this.#streams.map(({ captured }) => captured.captured())
    const { bytes, errno } = (await this.#saved?.close()) ?? { bytes: 0, errno: 0 }
    return { streams: [first, second], savedBytes: bytes, saveErrno: errno }
  }

  /** @returns false when no more can be taken for now */
  #keep(stream: Stream, bytes: Buffer): boolean {
    const { captured, live } = stream
    const saved = this.#saved
    if (saved !== undefined) {
      // The first byte that the head has no room for begins the file; what came before is in the head.
      if (!stream.isSaving && captured.headRoom < bytes.length) {
        stream.isSaving = true
        saved.append(captured.head)
      }
      if (stream.isSaving) saved.append(bytes)
    }
    captured.append(bytes)
    live?.append(bytes)
    return saved?.congested !== true
  }
}
