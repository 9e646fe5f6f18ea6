import fc from 'fast-check'
import { completeLength, orphanLength } from '../../../lib/processes/output/utf8.js'

const characters = ['a', 'é', '€', '😀']

describe('completeLength', () => {
  it.each(characters)('leaves out every beginning of %s', (character) => {
    const bytes = Buffer.from(character)
    for (let kept = 1; kept < bytes.length; kept++) {
      expect(completeLength(Buffer.concat([Buffer.from('x'), bytes.subarray(0, kept)]))).toBe(1)
    }
  })

  it.each(characters)('keeps a complete %s', (character) => {
    const bytes = Buffer.from(`x${character}`)
    expect(completeLength(bytes)).toBe(bytes.length)
  })

  it.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong form', [0xe0, 0x80]],
    ['a surrogate', [0xed, 0xa0]],
    ['an overlong form of four bytes', [0xf0, 0x80, 0x80]],
    ['a character above U+10FFFF', [0xf4, 0x90]],
    ['a byte that UTF-8 does not have', [0xff]],
  ])('keeps %s, which no further byte can complete', (_name, bytes) => {
    expect(completeLength(Uint8Array.from(bytes))).toBe(bytes.length)
  })

  it('leaves out exactly what a streaming decoder would wait for', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const waiting = new TextDecoder('utf-8', { ignoreBOM: true })
        const upToCut = new TextDecoder('utf-8', { ignoreBOM: true })
        expect(upToCut.decode(bytes.subarray(0, completeLength(bytes)))).toBe(
          waiting.decode(bytes, { stream: true }),
        )
      }),
      { numRuns: 2000 },
    )
  })
})

describe('orphanLength', () => {
  it.each(characters)('counts every end of %s', (character) => {
    const bytes = Buffer.from(`${character}x`)
    for (let start = 1; start < bytes.length; start++) {
      expect(orphanLength(bytes.subarray(start))).toBe(bytes.length - 1 - start)
    }
  })

  it('never counts more bytes than a character can leave over', () => {
    expect(orphanLength(Buffer.alloc(10, 0x80))).toBe(3)
  })

  it('counts nothing in an empty buffer', () => {
    expect(orphanLength(Buffer.alloc(0))).toBe(0)
  })
})
