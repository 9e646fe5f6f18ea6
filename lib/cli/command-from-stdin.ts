// `bashward run -`: the command comes from stdin, to its end. For texts with quotes, and for those too long for a shell.

import { isUtf8 } from 'node:buffer'
import { fstatSync, statSync } from 'node:fs'
import { maxCommandBytes } from '../run/options.js'
import { UsageError } from './command-line.js'
import { printHint } from './status-lines.js'

/** The command itself gets no input: this has taken all of it. @throws {UsageError} */
export async function readCommand(program: string, input: NodeJS.ReadStream): Promise<string> {
  if (input.isTTY) await printHint('Type the command, and end it with Ctrl-D.')
  const text = await readAll(program, input)
  if (!isUtf8(text)) throw new UsageError(program, 'the command on stdin must be UTF-8')
  const command = text.toString()
  if (command.trim() === '') throw new UsageError(program, whyEmpty())
  return command
}

/** Node reads a directory as an empty file, and opens /dev/null where there is no stdin. */
function whyEmpty(): string {
  const nothing = 'no command on stdin'
  try {
    const stdin = fstatSync(0)
    if (stdin.isDirectory()) return 'stdin cannot be read: EISDIR: it is a directory'
    const isNull = stdin.isCharacterDevice() && stdin.rdev === statSync('/dev/null').rdev
    return isNull ? `${nothing}: it is closed, or /dev/null` : nothing
  } catch (error) {
    return `${nothing}: ${(error as Error).message}`
  }
}

async function readAll(program: string, input: NodeJS.ReadStream): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const piece of input) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes > maxCommandBytes) break
    }
  } catch (error) {
    throw new UsageError(program, `stdin cannot be read: ${(error as Error).message}`)
  }
  if (bytes <= maxCommandBytes) return Buffer.concat(pieces)
  throw new UsageError(program, `the command on stdin must be at most ${maxCommandBytes} bytes`)
}
