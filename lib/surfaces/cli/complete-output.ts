// The output of a command for a pipe or a file: complete, and the same whatever the timing. The live view skips what
// comes too fast. From the first gap on, the text comes from where all of it is kept: the result or, when there is more
// than a result gives, the file of the option saveOutput, which is read while it grows.

import { rmSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../base/errors.js'
import { HeldDirectory } from '../../base/util/held-directory.js'
import { once } from '../../base/util/lazy.js'
import { part } from '../../base/util/load-part.js'
import { openOwnFile } from '../../base/util/regular-file.js'
import { checkRedactJob } from '../../commands/jobs/redaction.js'
import type * as Redactions from '../../commands/run/redaction.js'
import type { OutputEvent } from '../../commands/run/result.js'
import type { SaveOutputOptions } from '../../commands/run/save-output.js'
import { TextStream } from '../../processes/output/text-stream.js'
import { maxBacklogBytes, type OutputView, type ResultText, type TextSink, writeText } from './stdio.js'

export interface CompleteOutputOptions {
  /**
   * Bytes from the start that are the same in the live view and in the result, at most: of more only the result tells
   * what the reader gets. Default: all of them.
   */
  liveBytes?: number
  /** Where output goes that is longer than a result gives it. */
  saved?: SavedOutput | undefined
  /** Once aborted, a reader that does not read is not waited for. */
  signal?: AbortSignal | undefined
}

/** Between two looks at the growing file, milliseconds. */
const pauseMs = 50

/** Longer output may have more than is seen of it: the live view tells of a gap only together with what follows it. */
const surelyAllBytes = 60 * 1024

export class CompleteOutput implements OutputView {
  readonly #sink: TextSink
  readonly #liveBytes: number
  readonly #saved: SavedOutput | undefined
  readonly #signal: AbortSignal | undefined
  readonly #ended = new AbortController()
  /** UTF-16 units written from the live view. */
  #written = 0
  /** At least as many bytes has the output had: what replaces a NUL or invalid bytes is never shorter than they. */
  #writtenBytes = 0
  #isBehind = false
  #following: Promise<void> | undefined
  #endsLine = true

  constructor(
    sink: TextSink,
    { liveBytes = Number.POSITIVE_INFINITY, saved, signal }: CompleteOutputOptions,
  ) {
    this.#sink = sink
    this.#liveBytes = liveBytes
    this.#saved = saved
    this.#signal = signal
  }

  get endsLine(): boolean {
    return this.#endsLine
  }

  show({ text, dropped }: OutputEvent): void {
    if (this.#isBehind) return
    const bytes = this.#writtenBytes + Buffer.byteLength(text)
    if (dropped > 0 || bytes > this.#liveBytes || this.#sink.writableLength > maxBacklogBytes) {
      this.#isBehind = true
    } else {
      this.#written += text.length
      this.#writtenBytes = bytes
      this.#note(text)
      this.#sink.write(text)
    }
    if ((this.#isBehind || bytes > surelyAllBytes) && this.#following === undefined) {
      this.#following = this.#follow()
      // Its failure is told by end(), and until then nobody waits for it.
      this.#following.catch(() => {})
    }
  }

  async end({ output, truncated }: ResultText): Promise<number> {
    this.#ended.abort()
    await this.#following
    if (!truncated || this.#saved === undefined) {
      const rest = output.slice(this.#written)
      this.#note(rest)
      const isTaken = await writeText(this.#sink, rest, this.#signal)
      return isTaken ? Number.POSITIVE_INFINITY : this.#writtenBytes
    }
    if (!this.#isBehind) return Number.POSITIVE_INFINITY
    return Math.max(this.#writtenBytes, this.#saved.copiedBytes)
  }

  /** Copies the file, if there comes to be one; what it has at the end of the command is all there will be. */
  async #follow(): Promise<void> {
    const saved = this.#saved
    if (saved === undefined) return
    // What the live view has given is at the start of the file.
    let skip: number | undefined
    const write = async (text: string) => {
      skip ??= this.#written
      const rest = text.slice(skip)
      skip -= text.length - rest.length
      if (rest === '') return true
      this.#note(rest)
      return await writeText(this.#sink, rest, this.#signal)
    }
    for (;;) {
      const isLast = this.#ended.signal.aborted
      if (saved.hasBegun()) {
        this.#isBehind = true
        if (!(await saved.copy(write, isLast))) return
      }
      if (isLast) return
      await delay(pauseMs, undefined, { signal: this.#ended.signal }).catch(() => {})
    }
  }

  #note(text: string): void {
    if (text !== '') this.#endsLine = text.endsWith('\n')
  }
}

const chunkBytes = 256 * 1024

/** That file, in a directory of its own, which disappears with the command. */
export class SavedOutput {
  /** For the engine; undefined when there is no place for temporary files. */
  readonly options: SaveOutputOptions | undefined
  /** Why there is none. */
  readonly problem: string | undefined
  /** The command may lead its path elsewhere. */
  readonly #directory: HeldDirectory | undefined
  readonly #text = new TextStream()
  /** Made with the first output: until then start-up files may have set more secrets. */
  readonly #redaction = once(redactionOfFiles)
  #shown: Buffer[] = []
  #file: FileHandle | undefined
  #position = 0

  constructor() {
    try {
      this.#directory = new HeldDirectory(join(tmpdir(), 'bashward-run-'))
      this.options = { directory: this.#directory.path }
    } catch (error) {
      this.problem = messageOf(error)
    }
    // A second signal ends the program at once.
    process.once('exit', this.#removeDirectory)
  }

  /** Bytes of the output that {@link copy} has given. */
  get copiedBytes(): number {
    return this.#position
  }

  /** Whether there is a file: there is none as long as the result can have all of the output. */
  hasBegun(): boolean {
    if (this.#file !== undefined) return true
    return this.#directory !== undefined && this.#directory.names().length > 0
  }

  /**
   * Gives the text that has come to the file since the last call. To be called when it {@link hasBegun}.
   *
   * @param write returns whether it wants more
   * @param isLast the output has ended, and an unfinished character with it
   * @returns whether `write` wants more
   */
  async copy(write: (text: string) => Promise<boolean>, isLast: boolean): Promise<boolean> {
    this.#file ??= await this.#open()
    const buffer = Buffer.allocUnsafe(chunkBytes)
    for (;;) {
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, this.#position)
      if (bytesRead === 0) break
      if (!(await write(this.#take(buffer.subarray(0, bytesRead))))) return false
      this.#position += bytesRead
    }
    return isLast ? await write(this.#takeRest()) : true
  }

  readonly #listener = once(() => this.#redaction()?.listener((_, bytes) => this.#shown.push(bytes)))

  /** The file has it as it came. */
  #take(bytes: Buffer): string {
    const listen = this.#listener()
    if (listen === undefined) return this.#text.write(bytes, 0)
    listen(0, bytes, 0)
    return this.#text.write(Buffer.concat(this.#shown.splice(0)), 0)
  }

  #takeRest(): string {
    this.#redaction()?.end((_, bytes) => this.#shown.push(bytes))
    return this.#text.write(Buffer.concat(this.#shown.splice(0)), 0) + this.#text.end()
  }

  /** Removes the file. To be called when the command has ended, whatever became of it. */
  async remove(): Promise<void> {
    await this.#file?.close()
    this.#removeDirectory()
    process.off('exit', this.#removeDirectory)
  }

  readonly #removeDirectory = () => this.#directory?.remove()

  async #open(): Promise<FileHandle> {
    const { inside = '' } = this.#directory ?? {}
    const path = join(inside, this.#directory?.names()[0] ?? '')
    const file = await openOwnFile(path)
    // Should this process be killed, nothing stays on the disk.
    rmSync(path)
    return file
  }
}

const redactions = part((): typeof Redactions => require('../../commands/run/redaction.js'))

/** What the tools of this program take out of what they give: they have no option for it. */
function redactionOfFiles(): Redactions.Redaction | undefined {
  const redactor = checkRedactJob('redact', true)
  return redactor && new (redactions().Redaction)([], redactor)
}
