// A connection to the terminal of a job: requests, each with its answer. It is made when it is first needed, and again
// after the supervisor has closed it, as it does with those that have been silent longest.

import { closeSync, constants, openSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { messageOf } from '../../base/errors.js'
import { timeLimit } from '../../base/util/time-limit.js'
import { type Answer, AnswerReader } from './frames.js'

type Reply = Exclude<Answer, { type: 'hello' }>

interface Pending {
  resolve(answer: Reply): void
  reject(error: Error): void
}

/** Bytes that the address of a socket can have. */
const maxPath = 107
const helloMs = 5_000
/**
 * Requests that may be without an answer at a time. The supervisor closes a connection that leaves 64 KiB of answers unread, and
 * what was typed could have arrived or not. Of waits it keeps one open for each connection, so all others are answered soon.
 */
const maxUnanswered = 64
const lastTag = 2 ** 32 - 1

/** The terminal cannot be reached: the job has ended, or never had one. */
export class ConnectionLost extends Error {}

export class Connection {
  readonly #find: () => Promise<string>
  readonly #pending = new Map<number, Pending>()
  /** Those whose turn has not come, in their order. */
  readonly #turns: { resolve(): void; reject(error: Error): void }[] = []
  /** Requests that have had their turn and have no answer. */
  #unanswered = 0
  #socket: Socket | undefined
  #opening: Promise<Socket> | undefined
  #tag = 0

  /** @param find gives the directory of the job; rejects when there is no use in connecting */
  constructor(find: () => Promise<string>) {
    this.#find = find
  }

  /**
   * Keeps the event loop alive until the answer has come.
   *
   * @param frame gives the bytes of the request with this tag
   * @throws {ConnectionLost} (rejects)
   */
  async request(frame: (tag: number) => Buffer): Promise<Reply> {
    if (this.#unanswered < maxUnanswered) this.#unanswered += 1
    else await new Promise<void>((resolve, reject) => this.#turns.push({ resolve, reject }))
    try {
      return await this.#send(frame)
    } finally {
      const next = this.#turns.shift()
      if (next === undefined) this.#unanswered -= 1
      else next.resolve()
    }
  }

  async #send(frame: (tag: number) => Buffer): Promise<Reply> {
    const socket = this.#socket ?? (await this.#connected())
    this.#tag = this.#tag === lastTag ? 1 : this.#tag + 1
    const tag = this.#tag
    return await new Promise((resolve, reject) => {
      this.#pending.set(tag, { resolve, reject })
      socket.ref()
      socket.write(frame(tag))
    })
  }

  /** One attempt at a time, for all who need it. */
  #connected(): Promise<Socket> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  /** Pending requests are rejected. */
  close(): void {
    const socket = this.#socket
    if (socket === undefined) return
    this.#lose(socket, new ConnectionLost('the connection was closed'))
    socket.destroy()
  }

  async #open(): Promise<Socket> {
    const socket = await connectTo(await this.#find())
    const reader = new AnswerReader()
    return await new Promise((resolve, reject) => {
      const stop = timeLimit(helloMs, () => socket.destroy(new Error('it does not answer')))
      let failure: Error | undefined
      const greeted = () => {
        stop()
        this.#socket = socket
        resolve(socket)
      }
      socket.on('data', (piece) => {
        try {
          for (const answer of reader.read(piece)) {
            if (answer.type === 'hello') greeted()
            else this.#settle(answer)
          }
        } catch (error) {
          socket.destroy(new Error(`what it sends is no message: ${messageOf(error)}`))
        }
      })
      socket.on('error', (error) => {
        failure = error
      })
      socket.on('close', () => {
        stop()
        const lost = new ConnectionLost(failure?.message ?? 'the connection was closed', { cause: failure })
        reject(lost)
        this.#lose(socket, lost)
      })
    })
  }

  #settle(answer: Reply): void {
    const pending = this.#pending.get(answer.tag)
    this.#pending.delete(answer.tag)
    if (this.#pending.size === 0) this.#socket?.unref()
    pending?.resolve(answer)
  }

  #lose(socket: Socket, lost: ConnectionLost): void {
    if (this.#socket !== socket) return
    this.#socket = undefined
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    for (const { reject } of pending) reject(lost)
    // What was to be typed behind them is not typed without them.
    const unsent = new ConnectionLost(`${lost.message}, and nothing of this was sent`, { cause: lost })
    for (const { reject } of this.#turns.splice(0)) reject(unsent)
  }
}

async function connectTo(directory: string): Promise<Socket> {
  const path = join(directory, 'tty')
  if (Buffer.byteLength(path) <= maxPath) return await connected(path)
  const descriptor = openDirectory(directory)
  try {
    return await connected(`/proc/self/fd/${descriptor}/tty`)
  } finally {
    closeSync(descriptor)
  }
}

function openDirectory(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  } catch (cause) {
    throw new ConnectionLost(messageOf(cause), { cause })
  }
}

async function connected(path: string): Promise<Socket> {
  return await new Promise((resolve, reject) => {
    const socket = connect(path)
    const onError = (error: Error) => reject(new ConnectionLost(error.message, { cause: error }))
    socket.once('error', onError)
    socket.once('connect', () => {
      socket.off('error', onError)
      resolve(socket)
    })
  })
}
