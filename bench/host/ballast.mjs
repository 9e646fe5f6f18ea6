// Makes the host as large as an agent's host can be: touched memory outside the JavaScript heap.

const PIECE_BYTES = 64 * 1024 * 1024
const pieces = []

/** @param {{ bytes: number }} request */
export function ballast({ bytes }) {
  while (pieces.length * PIECE_BYTES < bytes) pieces.push(Buffer.allocUnsafeSlow(PIECE_BYTES).fill(1))
  return { rssBytes: process.memoryUsage.rss() }
}
