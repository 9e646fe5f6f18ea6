// Bindings that this worker has given up. A Redis that goes back in time may have them again.

import { closeSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { crypto } from '../../../base/util/lazy.js'
import { openRegularFile } from '../../../base/util/regular-file.js'
import { writeDurably } from './state.js'

export class Tombstones {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  /** Before Redis is told. @param durably whether it is there after a loss of power, too */
  add(conversation: string, epoch: string, durably = true): void {
    const path = this.#path(conversation, epoch)
    if (durably) writeDurably(path, Buffer.alloc(0))
    else closeSync(openRegularFile(path, constants.O_WRONLY | constants.O_CREAT))
  }

  has(conversation: string, epoch: string): boolean {
    return existsSync(this.#path(conversation, epoch))
  }

  readonly #path = (conversation: string, epoch: string): string => {
    const hash = crypto().createHash('sha256').update(`${conversation}\n${epoch}`).digest('hex')
    return join(this.#directory, hash)
  }
}
