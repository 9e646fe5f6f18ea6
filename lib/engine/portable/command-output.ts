// What a command prints: one pipe, or one for each of its streams.

import type { CommandRequest, Completion, OutputListener } from '../engine.js'
import { LiveWindow } from './live-window.js'
import { OutputStream } from './output-stream.js'
import { SavedOutput, type SaveReport } from './saved-output.js'
import type { Pipe } from './temporary.js'

const nothing = { head: Buffer.alloc(0), tail: Buffer.alloc(0), total: 0 }

export class CommandOutput {
  readonly #streams: OutputStream[]
  readonly #saved: SavedOutput | undefined
  /** Fulfilled when nobody can write any more. */
  readonly end: Promise<void>

  /** Reads the pipes from now on, and closes their read ends. */
  constructor(pipes: readonly Pipe[], request: CommandRequest, onOutput: OutputListener | undefined) {
    const { savePath, saveLimit, headBytes: head, tailBytes: tail } = request
    this.#saved = savePath === '' ? undefined : new SavedOutput(savePath, saveLimit)
    const ends: Promise<void>[] = []
    this.#streams = pipes.map(({ reader }, index) => {
      const live = onOutput && new LiveWindow((bytes, dropped) => onOutput(index, bytes, dropped))
      const { promise, resolve } = withResolver()
      ends.push(promise)
      return new OutputStream(reader, { head, tail }, { live, saved: this.#saved, onEnd: resolve })
    })
    this.end = Promise.all(ends).then(() => {})
  }

  get ended(): boolean {
    return this.#streams.every(({ ended }) => ended)
  }

  /** Reads what is in the pipes now. */
  readAvailable(): void {
    for (const stream of this.#streams) stream.readAvailable()
  }

  close(): void {
    for (const stream of this.#streams) stream.close()
  }

  /** Reads on for the sake of who writes, and keeps no more of it. */
  letGo(): void {
    for (const stream of this.#streams) stream.letGo()
  }

  /** What was kept, and what became of the file for long output. */
  async captured(): Promise<Pick<Completion, 'streams' | 'savedBytes' | 'saveErrno'>> {
    const [first = nothing, second = nothing] = this.#streams.map(({ captured }) => captured.captured())
    const { bytes, errno }: SaveReport = (await this.#saved?.close()) ?? { bytes: 0, errno: 0 }
    return { streams: [first, second], savedBytes: bytes, saveErrno: errno }
  }
}

function withResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil
  })
  return { promise, resolve }
}
