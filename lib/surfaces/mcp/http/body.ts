// The body of a request: JSON, within limits.

import type { IncomingMessage } from 'node:http'

/** Why there is none. */
export class BodyError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * What its header lines say of the body, before any of it is read.
 *
 * @throws {BodyError}
 */
export function checkBodyHeaders({ headers }: IncomingMessage, maxBytes: number): void {
  const { 'content-type': type = '', 'content-encoding': encoding, 'content-length': length } = headers
  const { 'transfer-encoding': transfer = 'chunked' } = headers
  // Node takes `gzip, chunked`, and does not unpack it.
  if (transfer.toLowerCase() !== 'chunked') throw new BodyError(501, 'the only transfer encoding is chunked')
  if (!/^application\/json *(?:;|$)/i.test(type)) {
    throw new BodyError(415, 'the content type must be application/json')
  }
  if (encoding !== undefined) throw new BodyError(415, 'the body must not be encoded')
  if (Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes)
}

export interface Body {
  value: unknown
  /** As it was sent. */
  bytes: number
}

/** @throws {BodyError} (rejects); another error when the client is gone */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<Body> {
  const bytes = await readBytes(request, maxBytes)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new BodyError(400, 'the body must be UTF-8')
  }
  try {
    return { value: JSON.parse(text), bytes: bytes.length }
  } catch {
    throw new BodyError(400, 'the body must be JSON')
  }
}

/** Room for most bodies. */
const firstBytes = 4096

/** Leaves the connection open when there are too many: an iterator would close it before the answer. */
function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // One buffer that grows: of a body in chunks of a byte, an object for each would take a hundred times its size.
    let taken = Buffer.allocUnsafe(Math.min(firstBytes, maxBytes))
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      const all = bytes + chunk.length
      if (all > maxBytes) {
        request.removeAllListeners('data').pause()
        return reject(tooLarge(maxBytes))
      }
      if (all > taken.length) {
        const larger = Buffer.allocUnsafe(Math.min(Math.max(2 * taken.length, all), maxBytes))
        taken.copy(larger, 0, 0, bytes)
        taken = larger
      }
      chunk.copy(taken, bytes)
      bytes = all
    })
    request.on('end', () => resolve(taken.subarray(0, bytes)))
    request.on('error', reject)
  })
}

function tooLarge(maxBytes: number): BodyError {
  return new BodyError(413, `a body may have ${maxBytes} bytes`)
}
