import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import {
  type CapturedStream,
  decodeBytes,
  decodeStream,
  isBinary,
  missingBytes,
} from '../../../lib/processes/output/decode.js'

/** What the native capture would have kept. */
function capture(
  output: Uint8Array | string,
  limits: { headBytes: number; tailBytes: number },
): CapturedStream {
  const bytes = Buffer.from(output as Uint8Array)
  const head = bytes.subarray(0, limits.headBytes)
  const rest = bytes.subarray(head.length)
  const tail = rest.subarray(Math.max(0, rest.length - limits.tailBytes))
  return { head, tail, total: bytes.length }
}

describe('decodeBytes', () => {
  it('gives the text of valid UTF-8', () => {
    expect(decodeBytes(Buffer.from('aé€😀\n'))).toEqual({ text: 'aé€😀\n', binary: false })
  })

  it('gives empty text for no bytes', () => {
    expect(decodeBytes(Buffer.alloc(0))).toEqual({ text: '', binary: false })
  })

  it('replaces invalid bytes and says binary', () => {
    expect(decodeBytes(Buffer.from([0x61, 0xff, 0x62]))).toEqual({ text: 'a\uFFFDb', binary: true })
  })

  it('replaces a character that the command left incomplete and says binary', () => {
    expect(decodeBytes(Buffer.from([0x61, 0xe2, 0x82]))).toEqual({ text: 'a\uFFFD', binary: true })
  })

  it('does not call a U+FFFD binary that the command printed', () => {
    expect(decodeBytes(Buffer.from('a\uFFFDb'))).toEqual({ text: 'a\uFFFDb', binary: false })
  })

  it('shows NULs as a visible character and says binary', () => {
    expect(decodeBytes(Buffer.from('a\0b\0'))).toEqual({ text: 'a\u2400b\u2400', binary: true })
  })

  it('shows NULs beside invalid bytes', () => {
    expect(decodeBytes(Buffer.from([0, 0xff]))).toEqual({ text: '\u2400\uFFFD', binary: true })
  })

  it('keeps a byte order mark', () => {
    expect(decodeBytes(Buffer.from('\uFEFFa')).text).toBe('\uFEFFa')
  })

  it('agrees with TextDecoder on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const expected = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
        const { text, binary } = decodeBytes(Buffer.from(bytes))
        expect(text).toBe(expected.replaceAll('\0', '\u2400'))
        expect(binary).toBe(isBinary(Buffer.from(bytes)))
      }),
      { numRuns: 2000 },
    )
  })

  it('agrees with a strict TextDecoder on what is binary', () => {
    fc.assert(
      fc.property(fc.uint8Array({ min: 1, maxLength: 8 }), (bytes) => {
        let valid = true
        try {
          new TextDecoder('utf-8', { fatal: true }).decode(bytes)
        } catch {
          valid = false
        }
        expect(decodeBytes(Buffer.from(bytes)).binary).toBe(!valid)
      }),
      { numRuns: 2000 },
    )
  })

  it('makes JSON of an executable file that parses to the same text', () => {
    const { text, binary } = decodeBytes(readFileSync(process.execPath).subarray(0, 100_000))
    expect(binary).toBe(true)
    expect(JSON.parse(JSON.stringify(text))).toBe(text)
    expect(text).not.toContain('\0')
  })
})

describe('decodeStream', () => {
  it('joins a character that lies across head and tail', () => {
    const stream = capture('a😀b', { headBytes: 3, tailBytes: 100 })
    expect(decodeStream(stream)).toEqual({ head: 'a😀b', tail: '', missingBytes: 0, binary: false })
  })

  it('counts the bytes that were not kept', () => {
    expect(missingBytes(capture('0123456789', { headBytes: 3, tailBytes: 2 }))).toBe(5)
  })

  it.each(['é', '€', '😀'])('leaves out every part of %s that a gap has cut', (character) => {
    const output = character.repeat(20)
    for (let headBytes = 0; headBytes < 12; headBytes++) {
      for (let tailBytes = 0; tailBytes < 12; tailBytes++) {
        const { head, tail, binary } = decodeStream(capture(output, { headBytes, tailBytes }))
        expect(head + tail).toBe(character.repeat((head + tail).length / character.length))
        expect(binary).toBe(false)
      }
    }
  })

  it('says binary for invalid bytes on either side of the gap', () => {
    const text = Buffer.alloc(50, 'a')
    const invalid = Buffer.from([0xff])
    const limits = { headBytes: 5, tailBytes: 5 }
    expect(decodeStream(capture(Buffer.concat([invalid, text]), limits)).binary).toBe(true)
    expect(decodeStream(capture(Buffer.concat([text, invalid]), limits)).binary).toBe(true)
    expect(decodeStream(capture(text, limits)).binary).toBe(false)
  })
})
