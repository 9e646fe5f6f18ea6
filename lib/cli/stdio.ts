// Writing to stdout and stderr: all of it arrives, a reader that goes away does no harm, colour is for terminals only.

import type { Writable } from 'node:stream'

/** Resolves when everything written so far has been passed on, could not be, or after `deadlineMs`. */
export async function drain(stream: Writable, deadlineMs?: number): Promise<void> {
  await new Promise<void>((resolve) => {
    if (deadlineMs !== undefined) setTimeout(resolve, deadlineMs).unref()
    stream.write('', () => resolve())
  })
}

/** Prints a text that was asked for. A reader that has seen enough of it, such as head(1), is no error. */
export async function print(text: string): Promise<void> {
  process.stdout.on('error', () => {})
  process.stdout.write(text)
  await drain(process.stdout)
}

const escapes = { red: '\x1b[0;31m', dim: '\x1b[0;2m' } as const

/** `text` in a colour where the stream is a terminal that has colours, and neither NO_COLOR nor TERM=dumb is set. */
export function paint(stream: NodeJS.WriteStream, style: keyof typeof escapes, text: string): string {
  // The output before it may have left a colour on: both ends reset all.
  return stream.isTTY && stream.hasColors() ? `${escapes[style]}${text}\x1b[0m` : text
}
