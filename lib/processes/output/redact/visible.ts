// Bytes without what a terminal does not show: colours inside a secret, the carriage returns of its lines, and what it
// prints over must not hide it.

export interface Visible {
  bytes: Buffer
  /** Where one of them is in the original. */
  placeOf(at: number): number
}

const escapeByte = 0x1b
const carriageReturn = 0x0d
const newline = 0x0a
const bell = 0x07
const backspace = 0x08
/** U+0080…U+009F have this before their own byte in UTF-8. */
const c1Lead = 0xc2
const c1ControlSequence = 0x9b
/** The longest string, such as a link or a title, that is taken for one. */
const maxStringLength = 4096

/** What may be no part of what is visible. */
const hiding = [escapeByte, carriageReturn, bell, backspace, c1Lead]
const mayHide = new Uint8Array(256)
for (const byte of hiding) mayHide[byte] = 1

/** Where runs of visible bytes begin. */
interface Runs {
  /** In what is visible. */
  shown: number[]
  original: number[]
}

/** @returns undefined when a terminal shows all of them */
export function visibleOf(bytes: Buffer): Visible | undefined {
  if (hiding.every((byte) => !isIncluded(bytes, byte))) return undefined
  const visible = Buffer.allocUnsafe(bytes.length)
  const runs: Runs = { shown: [], original: [] }
  let length = 0
  for (let at = 0; at < bytes.length; ) {
    const before = length
    const from = at
    for (; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (mayHide[byte] === 1 && (byte !== c1Lead || isC1(bytes, at))) break
      visible[length++] = byte
    }
    if (length > before) addRun(runs, before, from)
    if (at === bytes.length) break
    if (bytes[at] === backspace) length = withoutLast(visible, length)
    at = hiddenEnd(bytes, at)
  }
  return {
    bytes: visible.subarray(0, length),
    placeOf: (at) => (at === length ? bytes.length : originalOf(runs, at)),
  }
}

function isIncluded(bytes: Buffer, byte: number): boolean {
  let at = bytes.indexOf(byte)
  // Of other characters it is a part.
  while (byte === c1Lead && at !== -1 && !isC1(bytes, at)) at = bytes.indexOf(byte, at + 1)
  return at !== -1
}

const isC1 = (bytes: Buffer, at: number): boolean => isIn(bytes[at + 1], 0x80, 0x9f)

/** What was printed over is in no run. */
function addRun({ shown, original }: Runs, start: number, from: number): void {
  while ((shown.at(-1) ?? -1) >= start) {
    shown.pop()
    original.pop()
  }
  shown.push(start)
  original.push(from)
}

function hiddenEnd(bytes: Buffer, start: number): number {
  if (bytes[start] === escapeByte) return sequenceEnd(bytes, start)
  if (bytes[start] !== c1Lead) return start + 1
  return bytes[start + 1] === c1ControlSequence ? controlSequenceEnd(bytes, start + 2) : start + 2
}

/** Man pages print bold letters twice, with a backspace between. */
function withoutLast(visible: Buffer, length: number): number {
  let at = length - 1
  while (at > 0 && isIn(visible[at], 0x80, 0xbf)) at--
  return at < 0 || visible[at] === newline ? length : at
}

function originalOf({ shown, original }: Runs, at: number): number {
  let low = 0
  for (let high = shown.length; high - low > 1; ) {
    const middle = (low + high) >>> 1
    if ((shown[middle] as number) <= at) low = middle
    else high = middle
  }
  return (original[low] as number) + at - (shown[low] as number)
}

/** The end of the escape sequence that begins at `start` (ECMA-48); that of the bytes when it is not complete. */
function sequenceEnd(bytes: Buffer, start: number): number {
  const { length } = bytes
  let at = start + 1
  const introducer = bytes[at] as number
  if (introducer === 0x5b) return controlSequenceEnd(bytes, at + 1)
  if (strings.has(introducer)) return stringEnd(bytes, at + 1)
  while (at < length && isIn(bytes[at], 0x20, 0x2f)) at++
  return isIn(bytes[at], 0x30, 0x7e) ? at + 1 : at
}

function controlSequenceEnd(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && isIn(bytes[at], 0x20, 0x3f)) at++
  return isIn(bytes[at], 0x40, 0x7e) ? at + 1 : at
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
