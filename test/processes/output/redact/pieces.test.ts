// By which piece texts are looked for, when many of them share others.
import { anchorsOf, pieceHash, pieceLength } from '../../../../lib/processes/output/redact/pieces.js'

const piecesOf = (texts: readonly Buffer[]): string[] =>
  [...anchorsOf(texts)].map((at, index) => texts[index]?.toString('latin1', at, at + pieceLength) as string)

test('a text is looked for by its beginning when no other begins so', () => {
  expect([...anchorsOf([Buffer.from('abcdefgh1234'), Buffer.from('12345678abcd')])]).toEqual([0, 0])
})

test('texts that begin alike are looked for by what tells them apart', () => {
  const texts = Array.from({ length: 1000 }, (_, index) =>
    Buffer.from(`eyJhbGciOiJIUzI1NiIs.${((index + 1) * 0x9e3779b1).toString(36)}.eyJhbGciOiJIUzI1NiIs`),
  )

  expect(new Set(piecesOf(texts)).size).toBe(texts.length)
  expect(piecesOf(texts)).not.toContain('eyJhbGci')
})

test('a text that another one contains is looked for by what it has', () => {
  expect(piecesOf([Buffer.from('ghp_aaaa'), Buffer.from('ghp_aaaa1111')])[0]).toBe('ghp_aaaa')
})

test('the hash of a piece is that of eight bytes, wherever they are', () => {
  expect(pieceHash(Buffer.from('xxabcdefgh'), 2)).toBe(pieceHash(Buffer.from('abcdefghx'), 0))
})
