// A pipe for what a command reads while it runs. Node can make none: a shell makes it, and this process opens both ends. A named
// one would not do, as a program that opens /dev/stdin after the end of the input would wait for another writer for ever.

import { closeSync, constants, openSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { BashError, messageOf } from '../errors.js'
import { childProcess } from '../util/lazy.js'
import { findBash } from './request.js'

export interface InputPipe {
  /** The end that the command reads. */
  readonly descriptor: number
  /** The other end. When it is ended, the command comes to the end of its input. */
  readonly writable: Writable
  /** Gives both ends back. What was still to be written fails with EPIPE. */
  close(): void
}

/** Holds a pipe until its own input ends. */
const script = 'exec 4> >(:); echo; read'
const timeout = 60_000

/**
 * @throws {BashError} ERR_UNSUPPORTED_PLATFORM where there is no /proc/PID/fd; ERR_SPAWN when there is no bash, or it makes
 *   no pipe
 */
export async function openInputPipe(): Promise<InputPipe> {
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

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants

function openBoth(path: string): InputPipe {
  const descriptor = openSync(path, O_RDONLY)
  let writable: Socket
  try {
    writable = writing(openSync(path, O_WRONLY | O_NONBLOCK))
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  return {
    descriptor,
    writable,
    close() {
      closeSync(descriptor)
      writable.destroy(writable.writableFinished ? undefined : brokenPipe())
    },
  }
}

function writing(fd: number): Socket {
  const socket = new Socket({ fd, readable: false, writable: true })
  // Whoever writes is told; nobody else has to listen.
  return socket.on('error', () => {})
}

const brokenPipe = (): Error =>
  Object.assign(new Error('EPIPE: the command has ended'), { code: 'EPIPE', syscall: 'write' })
