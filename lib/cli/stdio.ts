// Writing to stdout and stderr: all of it arrives, a reader that goes away does no harm, colour is for terminals only.

/** A `Writable`, as far as it is needed. */
export interface TextSink {
  /** `onTaken` is called when the text has been passed on, or cannot be any more. */
  write(text: string, onTaken?: (error?: Error | null) => void): unknown
  /** Bytes that wait to be passed on. */
  readonly writableLength: number
}

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
      resolve(error === undefined || error === null)
    })
  })
}

/** Resolves when everything written so far has been passed on, could not be, or `signal` is aborted. */
export async function drain(sink: TextSink, signal?: AbortSignal): Promise<void> {
  await writeText(sink, '', signal)
}

/** Prints a text that was asked for. A reader that has seen enough of it, such as head(1), is no error. */
export async function print(text: string): Promise<void> {
  process.stdout.on('error', () => {})
  await writeText(process.stdout, text)
}

/** Prints one JSON document. */
export async function printJson(document: unknown, signal?: AbortSignal): Promise<void> {
  await writeText(process.stdout, `${JSON.stringify(document)}\n`, signal)
}

const escapes = { red: '\x1b[0;31m', dim: '\x1b[0;2m' } as const

/** `text` in a colour where the stream is a terminal that has colours, and neither NO_COLOR nor TERM=dumb is set. */
export function paint(stream: NodeJS.WriteStream, style: keyof typeof escapes, text: string): string {
  // The output before it may have left a colour on: both ends reset all.
  return stream.isTTY && stream.hasColors() ? `${escapes[style]}${text}\x1b[0m` : text
}
