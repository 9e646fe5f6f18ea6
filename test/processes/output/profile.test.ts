// What each tool keeps of any output, however it comes in: compared with the whole.
import fc from 'fast-check'
import { HeadTailBuffer } from '../../../lib/processes/engine/portable/head-tail-buffer.js'
import type { CapturedStream } from '../../../lib/processes/output/decode.js'
import {
  bashProfile,
  charactersProfile,
  execProfile,
  normalizedBashProfile,
  type OutputProfile,
  savedNormalizedBashProfile,
  suiteMaxCharacters,
} from '../../../lib/processes/output/profile.js'
import { normalizeOutput } from '../../../lib/processes/output/render.js'

const KiB = 1024
/** What the suite gives where nothing is saved. */
const suiteProfile = charactersProfile({
  maxChars: suiteMaxCharacters,
  wholeLines: false,
  normalize: true,
  save: false,
})
const snip = '\n\n[snip]\n\n'
const loneSurrogate = /\p{Surrogate}/u

/** As the engine keeps it, of output that comes in pieces of these sizes, again and again. */
function capture({ headBytes, tailBytes }: OutputProfile, bytes: Buffer, pieces: number[]): CapturedStream {
  const buffer = new HeadTailBuffer(headBytes, tailBytes)
  for (let at = 0, count = 0; at < bytes.length; count++) {
    const end = at + (pieces[count % pieces.length] ?? bytes.length)
    buffer.append(bytes.subarray(at, end))
    at = end
  }
  return buffer.captured()
}

/** By another decoder than ours. With `isCut` a character that the end cuts through is left out. */
function decode(bytes: Buffer, isCut = false): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return decoder.decode(bytes, { stream: isCut }).replaceAll('\0', '\u2400')
}

/** Bytes that may be the end of a character are left out at the start. */
function decodeEnd(bytes: Buffer): string {
  let start = 0
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return decode(bytes.subarray(start))
}

/** The first 4 KiB, and what the last line of them lacks if that are no more than 512 bytes. */
function firstLines(bytes: Buffer): Buffer {
  const [, rest = ''] = /^([^\n]{0,512})\n/.exec(bytes.toString('latin1', 4 * KiB, 5 * KiB)) ?? []
  return bytes.subarray(0, 4 * KiB + (bytes[4 * KiB - 1] === 0x0a ? 0 : rest.length))
}

function lastLines(bytes: Buffer): Buffer {
  const [, rest = ''] = /\n([^\n]{0,512})$/.exec(bytes.subarray(-5 * KiB, -4 * KiB).toString('latin1')) ?? []
  return bytes.subarray(-4 * KiB - rest.length)
}

/** Output of `size` bytes: the parts again and again, and at last `end`. A failure is reported in these terms. */
interface Output {
  parts: Uint8Array[]
  end: Uint8Array
  size: number
}

const bytesOf = ({ parts, end, size }: Output): Buffer =>
  Buffer.concat([Buffer.alloc(Math.max(size - end.length, 0), Buffer.concat(parts)), end])

const outputOf = (part: fc.Arbitrary<Uint8Array>, ...sizes: number[]) =>
  fc.record({
    parts: fc.array(part, { minLength: 1, maxLength: 4 }),
    end: part,
    size: fc.oneof(
      fc.tuple(fc.constantFrom(...sizes), fc.integer({ min: -5, max: 5 })).map(([size, by]) => size + by),
      fc.nat(2 * Math.max(...sizes)),
    ),
  })

const asBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text))

const anyPart = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }).map(asBytes),
  fc.constantFrom('é', '€', '😀', '\x1b[31m', '\r', '\n', 'x\n').map(asBytes),
)

/** Lines as programs print them, with colours: cut anywhere, what comes after the next line break is as it was. */
const line = fc
  .tuple(
    fc.constantFrom('', '\x1b[1;31m', '\x1b]0;title\x07'),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom('\n', '\x1b[0m\n', '\r\n'),
  )
  .map((texts) => asBytes(texts.join('')))

const pieces = fc.array(fc.integer({ min: 1000, max: 70_000 }), { minLength: 1, maxLength: 5 })

describe('bash', () => {
  test('gives 128 KiB whole, and of more the first and last 4 KiB of characters, up to the ends of lines', () => {
    fc.assert(
      fc.property(outputOf(anyPart, 128 * KiB, 132 * KiB), pieces, (output, pieces) => {
        const bytes = bytesOf(output)
        const { text, truncated } = bashProfile.bound(capture(bashProfile, bytes, pieces))
        expect(truncated).toBe(bytes.length > 128 * KiB)
        const isSame = truncated
          ? text === decode(firstLines(bytes), true) + snip + decodeEnd(lastLines(bytes))
          : text === decode(bytes)
        expect(isSame).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['rendered', normalizedBashProfile],
    ['rendered and saved', savedNormalizedBashProfile],
  ])('%s: gives the ends of what a terminal would have shown', (_, profile) => {
    fc.assert(
      fc.property(outputOf(line, 128 * KiB, 320 * KiB), pieces, (output, pieces) => {
        const bytes = bytesOf(output)
        const { text, truncated, binary } = profile.bound(capture(profile, bytes, pieces))
        const shown = normalizeOutput(decode(bytes, true))
        if (binary || !truncated) return // the size falls into a character; or all is there
        const cut = text.indexOf(snip)
        const [first, last] = [text.slice(0, cut), text.slice(cut + snip.length)]
        expect([shown.startsWith(first), shown.endsWith(last)]).toEqual([true, true])
        for (const part of [first, last]) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(4 * KiB + 512)
      }),
      { numRuns: 25 },
    )
  })
})

describe('exec', () => {
  test('gives 1 MiB of characters, and says that there was more', () => {
    fc.assert(
      fc.property(outputOf(anyPart, 1024 * KiB), pieces, (output, pieces) => {
        const bytes = bytesOf(output)
        const { text, truncated } = execProfile.bound(capture(execProfile, bytes, pieces))
        expect(truncated).toBe(bytes.length > 1024 * KiB)
        const isSame = truncated
          ? text === `${decode(bytes.subarray(0, 1024 * KiB), true)}... (truncated)`
          : text === decode(bytes)
        expect(isSame).toBe(true)
      }),
      { numRuns: 25 },
    )
  })
})

describe('suite', () => {
  const notice = /\n\n\[output truncated: first (\d+) and last (\d+) of (\d+) characters\]\n\n/

  test('gives 30,000 characters whole, and of more the first and last, and their exact numbers', () => {
    fc.assert(
      fc.property(outputOf(line, 30_000, 320 * KiB), pieces, (output, pieces) => {
        const bytes = bytesOf(output)
        const stream = capture(suiteProfile, bytes, pieces)
        const { text, truncated, binary } = suiteProfile.bound(stream)
        const shown = normalizeOutput(decode(bytes, true))
        if (binary) return // the size falls into a character
        const [found, ...numbers] = notice.exec(text) ?? ['']
        const [firstLength = 0, lastLength = 0, total] = numbers.map(Number)
        if (!truncated) {
          expect(found).toBe('')
          expect(shown.length).toBeLessThanOrEqual(30_000)
          expect(text === shown).toBe(true)
          return
        }
        expect(firstLength + lastLength).toBeLessThanOrEqual(30_000)
        expect(text.length).toBe(firstLength + found.length + lastLength)
        const [first, last] = [text.slice(0, firstLength), text.slice(text.length - lastLength)]
        expect([shown.startsWith(first), shown.endsWith(last)]).toEqual([true, true])
        expect(loneSurrogate.test(first + last)).toBe(false)
        // What was not kept can only be counted in bytes.
        if (bytes.length <= stream.head.length + stream.tail.length) expect(total).toBe(shown.length)
      }),
      { numRuns: 40 },
    )
  })
})

test.each([
  ['bash, rendered', normalizedBashProfile],
  ['suite', suiteProfile],
])('%s: gives no control character but tabs and newlines, whatever is printed', (_, profile) => {
  fc.assert(
    fc.property(outputOf(anyPart, 30_000, 320 * KiB), pieces, (output, pieces) => {
      const bytes = bytesOf(output)
      const { text } = profile.bound(capture(profile, bytes, pieces))
      expect(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/.test(text)).toBe(false)
      expect(loneSurrogate.test(text)).toBe(false)
    }),
    { numRuns: 30 },
  )
})
