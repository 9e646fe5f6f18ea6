// What a model might run in each mode: what may be tried there, and is nobody's fault if it succeeds.

/** Of bash alone: looks up no program. */
export const harmless = 'echo done'

/** Goes on until it is killed, and not for ever. */
export const pause = '/bin/sleep 20'

export const modes = ['unrestricted', 'restricted', 'workspace']

const changes =
  '{ echo changed >victim; echo changed >up/victim; echo changed >up/new; echo changed >dangling; } 2>&1'

/** In Restricted mode the private key may be read, and in Unrestricted mode everything may. */
export const curious = {
  unrestricted: harmless,
  restricted: `cat environ; env; ${changes}; echo done`,
  workspace: `cat environ key; env; ${changes}; echo done >made; echo done`,
}

/** All that an async iterable or a stream gives, up to a megabyte. */
export const drain = async (stream) => {
  const pieces = []
  let size = 0
  for await (const piece of stream) {
    pieces.push(piece)
    size += piece instanceof Uint8Array ? piece.length : 1
    if (size > 1024 ** 2) break
  }
  return pieces
}
