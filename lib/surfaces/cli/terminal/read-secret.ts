// A secret that a person types: on a terminal, without echo, and kept in one buffer that can be wiped.

import { onAbort } from '../../../base/util/listeners.js'

const keys = {
  interrupt: 0x03,
  end: 0x04,
  backspace: 0x08,
  newline: 0x0a,
  enter: 0x0d,
  kill: 0x15,
  delete: 0x7f,
}

/** The bytes of a line as they are typed. */
export class SecretLine {
  readonly #bytes: Buffer
  #length = 0
  #isTooLong = false

  /** @param most bytes of it */
  constructor(most: number) {
    this.#bytes = Buffer.alloc(most)
  }

  /** Of more than that nothing is kept. */
  get isTooLong(): boolean {
    return this.#isTooLong
  }

  /** Not a copy: {@link wipe} clears it. */
  get value(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** @returns whether that was Enter, or the key that gives up */
  type(byte: number): 'done' | 'given up' | undefined {
    if (byte === keys.enter || byte === keys.newline) return 'done'
    if (byte === keys.interrupt || (byte === keys.end && this.#length === 0)) return 'given up'
    if (byte === keys.kill) this.wipe()
    else if (byte === keys.backspace || byte === keys.delete) this.#removeLast()
    else if (byte >= 0x20) this.#add(byte)
    return undefined
  }

  wipe(): void {
    this.#bytes.fill(0)
    this.#length = 0
    this.#isTooLong = false
  }

  #add(byte: number): void {
    if (this.#length === this.#bytes.length) this.#isTooLong = true
    else this.#bytes[this.#length++] = byte
  }

  /** A character of UTF-8. */
  #removeLast(): void {
    while (this.#length > 0) {
      this.#length -= 1
      const byte = this.#bytes[this.#length] as number
      this.#bytes[this.#length] = 0
      if ((byte & 0xc0) !== 0x80) return
    }
  }
}

/**
 * @param most bytes
 * @returns to be wiped; undefined: the person has given up
 * @throws the reason of `signal`
 */
export async function readSecret(most: number, signal: AbortSignal): Promise<SecretLine | undefined> {
  const { stdin } = process
  const line = new SecretLine(most)
  let release = () => {}
  let onData = (_: Buffer) => {}
  stdin.setRawMode(true)
  try {
    const end = await new Promise((resolve, reject) => {
      release = onAbort(signal, () => reject(signal.reason))
      onData = (bytes) => {
        for (const byte of bytes) {
          const typed = line.type(byte)
          if (typed === undefined) continue
          resolve(typed)
          break
        }
        bytes.fill(0)
      }
      stdin.on('data', onData)
      stdin.once('end', () => resolve('given up'))
    })
    if (end === 'done') return line
    line.wipe()
    return undefined
  } catch (error) {
    line.wipe()
    throw error
  } finally {
    release()
    stdin.off('data', onData).pause()
    stdin.setRawMode(false)
    process.stderr.write('\n')
  }
}
