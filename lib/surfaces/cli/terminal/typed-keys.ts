// What a person types, on its way to a job.

/** Ctrl-]: leaves the job, as in telnet. */
const detachKey = 0x1d

/** Cursor keys, as a terminal sends them in one of two modes. */
const cursorKeys = /\x1b[[O]([ABCDHF])/g

/** @returns what comes before the key that detaches, and whether that was pressed */
export function splitAtDetach(bytes: Buffer): { before: Buffer; isDetached: boolean } {
  const at = bytes.indexOf(detachKey)
  return at < 0 ? { before: bytes, isDetached: false } : { before: bytes.subarray(0, at), isDetached: true }
}

/**
 * The person's terminal is in a mode of its own (DECCKM), whatever the job has asked for.
 *
 * @param applicationCursor whether the job wants cursor keys as the terminal's application mode has them
 */
export function toModeOf(bytes: Buffer, applicationCursor: boolean): Buffer {
  if (bytes.indexOf('\x1b') < 0) return bytes
  const introducer = applicationCursor ? '\x1bO' : '\x1b['
  return Buffer.from(bytes.toString('latin1').replace(cursorKeys, `${introducer}$1`), 'latin1')
}
