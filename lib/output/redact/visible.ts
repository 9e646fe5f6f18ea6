// Bytes without what a terminal does not show: colours inside a secret, and the carriage returns of its lines, must not hide it.

export interface Visible {
  bytes: Buffer
  /** Where one of them is in the original. */
  placeOf(at: number): number
}

const escapeByte = 0x1b
const carriageReturn = 0x0d
const newline = 0x0a
const bell = 0x07
/** The longest string, such as a link or a title, that is taken for one. */
const maxStringLength = 4096

/** @returns undefined when a terminal shows all of them */
export function visibleOf(bytes: Buffer): Visible | undefined {
  let sequence = placeOf(bytes, escapeByte, 0)
  let returned = placeOf(bytes, carriageReturn, 0)
  if (sequence === bytes.length && returned === bytes.length) return undefined
  const visible = Buffer.allocUnsafe(bytes.length)
  /** Where each run without any of them begins: in what is visible, and in the original. */
  const runs: [shown: number, original: number][] = []
  let length = 0
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(sequence, returned)
    if (end > at) {
      runs.push([length, at])
      length += bytes.copy(visible, length, at, end)
    }
    at = end === bytes.length ? end : end === sequence ? sequenceEnd(bytes, end) : end + 1
    if (sequence < at) sequence = placeOf(bytes, escapeByte, at)
    if (returned < at) returned = placeOf(bytes, carriageReturn, at)
  }
  return {
    bytes: visible.subarray(0, length),
    placeOf: (at) => (at === length ? bytes.length : originalOf(runs, at)),
  }
}

function placeOf(bytes: Buffer, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from)
  return at === -1 ? bytes.length : at
}

function originalOf(runs: readonly [number, number][], at: number): number {
  let low = 0
  for (let high = runs.length; high - low > 1; ) {
    const middle = (low + high) >>> 1
    if ((runs[middle]?.[0] as number) <= at) low = middle
    else high = middle
  }
  const [shown, original] = runs[low] as [number, number]
  return original + at - shown
}

/** The end of the escape sequence that begins at `start` (ECMA-48); that of the bytes when it is not complete. */
function sequenceEnd(bytes: Buffer, start: number): number {
  const { length } = bytes
  let at = start + 1
  const introducer = bytes[at] as number
  if (introducer === 0x5b) {
    do at++
    while (at < length && isIn(bytes[at], 0x20, 0x3f))
    return isIn(bytes[at], 0x40, 0x7e) ? at + 1 : at
  }
  if (strings.has(introducer)) return stringEnd(bytes, at + 1)
  while (at < length && isIn(bytes[at], 0x20, 0x2f)) at++
  return isIn(bytes[at], 0x30, 0x7e) ? at + 1 : at
}

/** OSC, DCS, SOS, PM, APC. */
const strings: ReadonlySet<number> = new Set(Buffer.from(']PX^_'))

/** What has no end within its line is text. */
function stringEnd(bytes: Buffer, start: number): number {
  const limit = Math.min(bytes.length, start + maxStringLength)
  for (let at = start; at < limit; at++) {
    const byte = bytes[at]
    if (byte === bell) return at + 1
    if (byte === escapeByte) return bytes[at + 1] === 0x5c ? at + 2 : at
    if (byte === newline) return start
  }
  return limit < bytes.length ? start : limit
}

const isIn = (byte: number | undefined, first: number, last: number): boolean =>
  byte !== undefined && byte >= first && byte <= last
