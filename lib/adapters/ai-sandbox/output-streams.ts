// The live output of a command as web streams. A reader that does not read costs no memory: what does not fit is left
// out, and a line in the stream says how much.

import { humanizeBytes } from '../../output/bytes.js'
import type { OutputEvent } from '../../run/result.js'

const maxWaitingBytes = 1024 * 1024

class OutputStream {
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #skippedBytes = 0

  readonly stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        this.#controller = controller
      },
      cancel: () => {
        this.#controller = undefined
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxWaitingBytes }),
  )

  add(text: string, dropped = 0): void {
    const hasRoom = (this.#controller?.desiredSize ?? 0) > 0
    this.#skippedBytes += dropped + (hasRoom ? 0 : Buffer.byteLength(text))
    if (hasRoom) this.#controller?.enqueue(Buffer.from(this.#notice() + text))
  }

  close(): void {
    const notice = this.#notice()
    if (notice !== '') this.#controller?.enqueue(Buffer.from(notice))
    this.#controller?.close()
  }

  #notice(): string {
    const bytes = this.#skippedBytes
    this.#skippedBytes = 0
    return bytes === 0 ? '' : `\n[... ${humanizeBytes(bytes)} skipped ...]\n`
  }
}

export class OutputStreams {
  readonly stdout = new OutputStream()
  readonly stderr = new OutputStream()

  add({ stream, text, dropped }: OutputEvent): void {
    this[stream === 'stderr' ? 'stderr' : 'stdout'].add(text, dropped)
  }

  close(): void {
    this.stdout.close()
    this.stderr.close()
  }
}
