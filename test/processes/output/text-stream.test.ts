import fc from 'fast-check'
import { decodeBytes } from '../../../lib/processes/output/decode.js'
import { TextStream } from '../../../lib/processes/output/text-stream.js'

/** Cuts `bytes` at the given places. */
function split(bytes: Uint8Array, places: number[]): Uint8Array[] {
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return cuts.slice(1).map((end, i) => bytes.subarray(cuts[i], end))
}

describe('TextStream', () => {
  it('joins a character that comes byte by byte', () => {
    const stream = new TextStream()
    const texts = [...Buffer.from('😀')].map((byte) => stream.write(Uint8Array.of(byte), 0))
    expect(texts).toEqual(['', '', '', '😀'])
    expect(stream.end()).toBe('')
  })

  it('replaces a character that the stream ended in', () => {
    const stream = new TextStream()
    expect(stream.write(Buffer.from([0x61, 0xf0, 0x9f]), 0)).toBe('a')
    expect(stream.end()).toBe('\uFFFD')
  })

  it('shows NULs', () => {
    expect(new TextStream().write(Buffer.from('a\0'), 0)).toBe('a\u2400')
  })

  it('does not depend on memory that the caller uses again', () => {
    const stream = new TextStream()
    const memory = Buffer.from('é')
    stream.write(memory.subarray(0, 1), 0)
    const second = Buffer.from([memory[1] as number])
    memory.fill(0)
    expect(stream.write(second, 0)).toBe('é')
  })

  it('decodes as if the bytes had come at once, however they are split', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.string({ unit: 'binary', maxLength: 20 }).map((text) => new Uint8Array(Buffer.from(text))),
    )
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(100), { maxLength: 6 }), (all, places) => {
        const stream = new TextStream()
        const pieces = split(all, places).map((piece) => stream.write(piece, 0))
        expect(pieces.join('') + stream.end()).toBe(decodeBytes(Buffer.from(all)).text)
      }),
      { numRuns: 2000 },
    )
  })

  it('makes no U+FFFD at a gap, wherever it begins and ends and however the rest is split', () => {
    const output = Buffer.from('é€😀'.repeat(3))
    for (let gap = 0; gap <= output.length; gap++) {
      for (let resume = gap + 1; resume <= output.length; resume++) {
        const whole = new TextStream()
        const before = whole.write(output.subarray(0, gap), 0)
        const after = whole.write(output.subarray(resume), resume - gap) + whole.end()
        expect(before + after).not.toContain('\uFFFD')
        expect(output.toString().startsWith(before)).toBe(true)
        expect(output.toString().endsWith(after)).toBe(true)

        const bytewise = new TextStream()
        bytewise.write(output.subarray(0, gap), 0)
        let text = bytewise.write(output.subarray(resume, resume + 1), resume - gap)
        for (const byte of output.subarray(resume + 1)) text += bytewise.write(Uint8Array.of(byte), 0)
        expect(text + bytewise.end()).toBe(after)
      }
    }
  })

  it('counts what it leaves out of characters that a gap has cut', () => {
    const output = Buffer.from('é€😀'.repeat(3))
    for (let gap = 0; gap <= output.length; gap++) {
      for (let resume = gap + 1; resume <= output.length; resume++) {
        const stream = new TextStream()
        let shown = Buffer.byteLength(stream.write(output.subarray(0, gap), 0))
        let dropped = stream.cutBytes
        for (const [at, piece] of [
          output.subarray(resume, resume + 1),
          output.subarray(resume + 1),
        ].entries()) {
          const missing = at === 0 ? resume - gap : 0
          shown += Buffer.byteLength(stream.write(piece, missing))
          dropped += missing + stream.cutBytes
        }
        shown += Buffer.byteLength(stream.end())
        expect(shown + dropped).toBe(output.length)
      }
    }
  })

  it('forgets an incomplete character when everything after it was dropped', () => {
    const stream = new TextStream()
    stream.write(Buffer.from([0xf0, 0x9f]), 0)
    stream.write(Buffer.alloc(0), 10)
    expect(stream.end()).toBe('')
  })

  it('still shows invalid bytes after a gap', () => {
    expect(new TextStream().write(Buffer.from([0xff, 0x61]), 5)).toBe('\uFFFDa')
  })
})
