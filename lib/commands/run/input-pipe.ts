// A pipe for what a command reads while it runs. A named one would not do: a program that opens /dev/stdin after the end of the
// input would wait for another writer for ever.

import { closeSync, constants, openSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { BashError, messageOf, systemError } from '../../base/errors.js'
import { childProcess } from '../../base/util/lazy.js'
import { findBash } from '../../guard/sandbox/find-bash.js'
import { provenEngine } from '../../processes/engine/choose.js'

export interface InputPipe {
  /** The end that the command reads. */
  readonly descriptor: number
  /** The other end. When it is ended, the command comes to the end of its input. */
  readonly writable: Writable
  /** Gives both ends back. What was still to be written fails with EPIPE. */
  close(): void
}

/**
 * @throws {BashError} ERR_SPAWN when no descriptor is left; on the portable engine also when there is no bash, or it makes no
 *   pipe, and ERR_UNSUPPORTED_PLATFORM where there is no /proc/PID/fd
 */
export async function openInputPipe(): Promise<InputPipe> {
  const { engine } = await provenEngine()
  const pipe = engine.makePipe() ?? (await pipeOfShell())
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

/** Holds a pipe until its own input ends. */
const script = 'exec 4> >(:); echo; read'
const timeout = 60_000

/** For the portable engine, as Node can make none: bash makes it, and this process opens both ends. */
async function pipeOfShell(): Promise<{ reader: number; writer: number }> {
  if (process.platform !== 'linux') {
    throw new BashError('ERR_UNSUPPORTED_PLATFORM', 'input while a command runs needs Linux')
  }
  const shell = childProcess().spawn(findBash(), ['-c', script], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout,
    killSignal: 'SIGKILL',
  })
  try {
    await new Promise((resolve, reject) => {
      shell.stdout.once('data', resolve)
      shell.once('error', reject)
      shell.once('close', () => reject(new Error('bash has ended')))
    })
    return openBoth(`/proc/${shell.pid}/fd/4`)
  } catch (cause) {
    throw new BashError('ERR_SPAWN', `no pipe can be made for the input: ${messageOf(cause)}`, { cause })
  } finally {
    shell.stdin.on('error', () => {})
    shell.stdin.end()
  }
}

function openBoth(path: string): { reader: number; writer: number } {
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants
  const reader = openSync(path, O_RDONLY)
  try {
    return { reader, writer: openSync(path, O_WRONLY | O_NONBLOCK) }
  } catch (error) {
    closeSync(reader)
    throw error
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
