// Lines of a stream of bytes, each as soon as it is complete.

/** Without its line break. */
export type Line = { bytes: Buffer } | { tooLong: number }

/** Bytes. Enough for the longest command that can be run, in JSON's longest spelling. */
const maxLineBytes = 32 * 1024 * 1024

/**
 * The last line need not be ended.
 *
 * @param limit bytes; of a longer line nothing is kept
 */
export async function* readLines(
  input: AsyncIterable<Buffer>,
  limit = maxLineBytes,
): AsyncGenerator<Line, void, undefined> {
  let pieces: Buffer[] = []
  let length = 0
  const add = (piece: Buffer) => {
    length += piece.length
    if (length <= limit) pieces.push(piece)
    else pieces = []
  }
  const take = (): Line => {
    const line = length <= limit ? { bytes: Buffer.concat(pieces) } : { tooLong: limit }
    pieces = []
    length = 0
    return line
  }
  for await (const chunk of input) {
    let start = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      add(chunk.subarray(start, end))
      yield take()
      start = end + 1
    }
    if (start < chunk.length) add(chunk.subarray(start))
  }
  if (length > 0) yield take()
}
