// Files without a name: pipes, and what a shell is to read or to write. They are made in a directory that nobody else
// can enter, and are unlinked at once.

import { closeSync, constants, mkdtempSync, openSync, rmdirSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { StepError, step } from './completion.js'
import { helper } from './helper.js'

export interface Pipe {
  reader: number
  writer: number
}

/**
 * A pipe whose read end does not block. A real one: Node's own are sockets, which a program cannot open again by
 * /dev/stderr, and two of them would lose the order.
 *
 * @throws {StepError}
 */
async function openPipe(): Promise<Pipe> {
  const directory = makeDirectory()
  const path = join(directory, 'pipe')
  try {
    await helper.makePipe(path).catch((cause: unknown) => {
      throw new StepError('mkfifo', cause)
    })
    const reader = step('pipe', () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK))
    try {
      return { reader, writer: step('pipe', () => openSync(path, constants.O_WRONLY)) }
    } catch (error) {
      closeSync(reader)
      throw error
    }
  } finally {
    remove(path, directory)
  }
}

/** @throws {StepError} when not all of them can be made; none is left open then */
export async function openPipes(count: number): Promise<Pipe[]> {
  const opened = await Promise.allSettled(Array.from({ length: count }, openPipe))
  const pipes = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const failure = opened.find((result) => result.status === 'rejected')
  if (failure === undefined) return pipes
  for (const { reader, writer } of pipes) {
    closeSync(reader)
    closeSync(writer)
  }
  throw failure.reason
}

/**
 * A file with this content, at its start. Readable and writable: on macOS /dev/fd gives no more than the descriptor has.
 *
 * @throws {StepError}
 */
export function openTemporary(content: Uint8Array): number {
  const directory = makeDirectory()
  const path = join(directory, 'file')
  try {
    const file = step('open', () => openSync(path, 'wx+', 0o600))
    try {
      step('write', () => {
        for (let at = 0; at < content.length; ) at += writeSync(file, content, at, content.length - at, at)
      })
      return file
    } catch (error) {
      closeSync(file)
      throw error
    }
  } finally {
    remove(path, directory)
  }
}

/** Without a descriptor, of which there may be none left. */
function remove(path: string, directory: string): void {
  for (const act of [() => unlinkSync(path), () => rmdirSync(directory)]) {
    try {
      act()
    } catch {
      // It was not made.
    }
  }
}

function makeDirectory(): string {
  let first: unknown
  for (const parent of [tmpdir(), '/tmp', '/dev/shm', '/var/tmp'].filter(isAbsolute)) {
    try {
      return mkdtempSync(join(parent, 'bashward-'))
    } catch (error) {
      first ??= error
    }
  }
  throw new StepError('mkdtemp', first)
}
