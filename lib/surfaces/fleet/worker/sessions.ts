// Sessions of conversations, on this disk: they outlive the process, not the machine. Sealed, since restoring one is running
// code; without a key a session ends with its process, and whoever calls next is told.

import { lstatSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../../base/errors.js'
import { readRegularFile, replaceFile } from '../../../base/util/regular-file.js'
import { BashSession } from '../../../commands/session/bash-session.js'

export interface OpenedSession {
  session: BashSession
  /** Why it has nothing of what earlier calls left. */
  reset?: string
}

/** Also where it is a link that leads nowhere. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

export class Sessions {
  readonly #directory: string
  readonly #key: Uint8Array | undefined

  constructor(directory: string, key: Uint8Array | undefined) {
    this.#directory = directory
    this.#key = key
  }

  /** Whether what is saved can be had back by another process, or after a while. */
  get areKept(): boolean {
    return this.#key !== undefined
  }

  /** @param workingDir where a new one begins */
  async open(conversation: string, workingDir: string): Promise<OpenedSession> {
    const begin = () => new BashSession({ workingDir })
    const path = this.#path(conversation)
    if (!isThere(path)) return { session: begin() }
    if (this.#key === undefined) return { session: begin(), reset: 'its worker was started anew' }
    try {
      return {
        session: await BashSession.restore(
          readRegularFile(path, Number.POSITIVE_INFINITY),
          this.#options(conversation),
        ),
      }
    } catch (error) {
      return { session: begin(), reset: messageOf(error) }
    }
  }

  /** Renamed into place before anybody hears of the result. @throws when it cannot be saved */
  async save(conversation: string, session: BashSession): Promise<void> {
    const path = this.#path(conversation)
    if (this.#key === undefined) {
      // Nothing but a sign that there was one.
      if (!isThere(path)) replaceFile(path, '')
      return
    }
    const { data } = await session.snapshot(this.#options(conversation))
    replaceFile(path, data)
  }

  remove(conversation: string): void {
    rmSync(this.#path(conversation), { force: true })
  }

  #options(conversation: string) {
    return { key: this.#key as Uint8Array, conversationId: conversation }
  }

  readonly #path = (conversation: string): string => join(this.#directory, conversation)
}
