// A pipe for what a command reads while it runs. A named one would not do: a program that opens /dev/stdin after the end of the
// input would wait for another writer for ever.

import { closeSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { provenEngine } from '../engine/choose.js'
import { BashError, systemError } from '../errors.js'

export interface InputPipe {
  /** The end that the command reads. */
  readonly descriptor: number
  /** The other end. When it is ended, the command comes to the end of its input. */
  readonly writable: Writable
  /** Gives both ends back. What was still to be written fails with EPIPE. */
  close(): void
}

/**
 * @throws {BashError} ERR_UNSUPPORTED_PLATFORM on the portable engine; ERR_SPAWN when no descriptor is left
 */
export async function openInputPipe(): Promise<InputPipe> {
  const { engine } = await provenEngine()
  const pipe = engine.makePipe()
  if (pipe === undefined) {
    const text = 'the portable engine runs here, and cannot give a command input while it runs'
    throw new BashError('ERR_UNSUPPORTED_PLATFORM', `${text}: that needs the native engine`)
  }
  if ('errno' in pipe) throw systemError('ERR_SPAWN', { step: 'pipe2', errno: pipe.errno })
  const { reader, writer } = pipe
  const writable = writing(reader, writer)
  return {
    descriptor: reader,
    writable,
    close() {
      closeSync(reader)
      writable.destroy(writable.writableFinished ? undefined : brokenPipe())
    },
  }
}

function writing(reader: number, writer: number): Socket {
  try {
    const socket = new Socket({ fd: writer, readable: false, writable: true })
    // Whoever writes is told; nobody else has to listen.
    return socket.on('error', () => {})
  } catch (error) {
    closeSync(reader)
    closeSync(writer)
    throw error
  }
}

const brokenPipe = (): Error =>
  Object.assign(new Error('EPIPE: the command has ended'), { code: 'EPIPE', syscall: 'write' })
