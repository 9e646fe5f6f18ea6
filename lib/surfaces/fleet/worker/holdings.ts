// Which conversations this disk has, and under which binding: a record for each, that outlives the process and what Redis knows.
// A disk never goes back to a binding that it has left: requests of that are refused whatever Redis says (see `Tombstones`).

import { promises, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readRegularFile, replaceFile } from '../../../base/util/regular-file.js'
import { type Moment, thisMoment } from '../../../commands/calls/mark.js'
import { writeDurably } from './state.js'
import type { Tombstones } from './tombstones.js'

/**
 * - `held`: it is this worker's, as far as this disk knows
 * - `released`: its release has begun; what is left of it is to be removed
 * - `lost`: Redis has given it to another one, or it was given up
 */
export type HoldingState = 'held' | 'released' | 'lost'

/** Since when it is so, and under which binding. */
export interface Holding extends Moment {
  epoch: string
  state: HoldingState
}

const conversationName = /^[0-9a-f]{64}$/
const batch = 200
const maxBytes = 64 * 1024

export class Holdings {
  readonly #directory: string
  readonly #tombstones: Tombstones

  constructor(directory: string, tombstones: Tombstones) {
    this.#directory = directory
    this.#tombstones = tombstones
  }

  /** @returns undefined when there is none, or none that can be read: a loss of power may leave half of one */
  read(conversation: string): Holding | undefined {
    try {
      return parse(readRegularFile(this.#path(conversation), maxBytes).toString())
    } catch {
      return undefined
    }
  }

  /** Before anything of a call under this binding begins. @throws the system's error */
  hold(conversation: string, epoch: string): void {
    const before = this.read(conversation)
    if (before?.epoch === epoch && before.state === 'held') return
    this.#leave(conversation, before, epoch)
    this.#write(conversation, text(epoch, 'held'))
  }

  /** The binding is over: none of its requests is taken from now on, also after a loss of power. */
  release(conversation: string, epoch: string): void {
    this.#leave(conversation, this.read(conversation), epoch)
    this.#tombstones.add(conversation, epoch)
    writeDurably(this.#path(conversation), Buffer.from(text(epoch, 'released')))
  }

  /** Likewise, but without waiting for the disk: there may be many, and after a loss of power Redis is asked again. */
  lose(conversation: string, epoch: string): void {
    this.#tombstones.add(conversation, epoch, false)
    this.#write(conversation, text(epoch, 'lost'))
  }

  #write(conversation: string, content: string): void {
    replaceFile(this.#path(conversation), content)
  }

  /** Nothing is left of it. */
  forget(conversation: string): void {
    rmSync(this.#path(conversation), { force: true })
  }

  /** All of them, some hundred at a time: there may be very many. */
  async *all(): AsyncGenerator<{ conversation: string; holding: Holding }[]> {
    const names = await promises.readdir(this.#directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    for (let at = 0; at < names.length; at += batch) {
      const read = names.slice(at, at + batch).filter((name) => conversationName.test(name))
      const found = read.flatMap((conversation) => {
        const holding = this.read(conversation)
        return holding === undefined ? [] : [{ conversation, holding }]
      })
      yield found
    }
  }

  #leave(conversation: string, before: Holding | undefined, epoch: string): void {
    if (before !== undefined && before.epoch !== epoch) this.#tombstones.add(conversation, before.epoch)
  }

  readonly #path = (conversation: string): string => join(this.#directory, conversation)
}

const text = (epoch: string, state: HoldingState): string =>
  JSON.stringify({ epoch, state, ...thisMoment() } satisfies Holding)

function parse(content: string): Holding | undefined {
  try {
    const holding = JSON.parse(content) as Holding
    return typeof holding.epoch === 'string' && typeof holding.createdAt === 'number' ? holding : undefined
  } catch {
    return undefined
  }
}
