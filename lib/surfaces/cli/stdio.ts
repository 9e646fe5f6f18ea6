// Writing to stdout and stderr: all of it arrives, and a reader that goes away does no harm.

import type { OutputEvent } from '../../commands/run/result.js'

/** A `Writable`, as far as it is needed. */
export interface TextSink {
  /** `onTaken` is called when the text has been passed on, or cannot be any more. */
  write(text: string, onTaken?: (error?: Error | null) => void): unknown
  /** Bytes that wait to be passed on. */
  readonly writableLength: number
}

let failure: NodeJS.ErrnoException | undefined

/** Why stdout could not be written, where it could not. Streams do not keep it. */
export const outputFailure = (): NodeJS.ErrnoException | undefined => failure

/**
 * Resolves when the text, and everything written before it, has been passed on or could not be, or `signal` is aborted.
 *
 * @returns whether there is any sense in writing more
 */
export async function writeText(sink: TextSink, text: string, signal?: AbortSignal): Promise<boolean> {
  if (signal?.aborted) return false
  return await new Promise((resolve) => {
    const giveUp = () => resolve(false)
    signal?.addEventListener('abort', giveUp, { once: true })
    sink.write(text, (error) => {
      signal?.removeEventListener('abort', giveUp)
      if (error && sink === process.stdout) failure ??= error
      resolve(!error)
    })
  })
}

/** Resolves when everything written so far has been passed on, could not be, or `signal` is aborted. */
export async function drain(sink: TextSink, signal?: AbortSignal): Promise<void> {
  await writeText(sink, '', signal)
}

/** Columns of a terminal; undefined for anything else, and for one that does not know. */
export function widthOf(stream: NodeJS.WriteStream): number | undefined {
  return stream.isTTY && stream.columns > 0 ? stream.columns : undefined
}

/** Prints a text that was asked for. */
export async function print(text: string): Promise<void> {
  await writeText(process.stdout, text)
}

/** Prints one JSON document. */
export async function printJson(document: unknown, signal?: AbortSignal): Promise<void> {
  await writeText(process.stdout, `${JSON.stringify(document)}\n`, signal)
}

/** What the result has of the stream. */
export interface ResultText {
  output: string
  /** Whether that leaves something out. */
  truncated: boolean
  /** The end of the stream, when `output` has it. */
  tail: string
}

/** Where a stream of a command's output goes: shown while the command runs, and completed at its end. */
export interface OutputView {
  /** Whether the next character begins a line. */
  readonly endsLine: boolean
  show(event: OutputEvent): void
  /**
   * Writes what is still missing. To be called once, after the last event.
   *
   * @returns bytes from the start of the stream that the reader has got; Infinity for all, or when the reader can see
   *   what is missing
   */
  end(text: ResultText): Promise<number>
}

/** Text that waits for a slow reader, bytes; beyond it nothing more is queued, so that memory stays bounded. */
export const maxBacklogBytes = 16 * 1024 * 1024
