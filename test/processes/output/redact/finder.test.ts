// Where secrets stand in bytes, among any number of them.
import { Finder } from '../../../../lib/processes/output/redact/finder.js'

const secrets = ['abcdefgh12345678', 'Zm9vYmFyYmF6cXV4']

const finderOf = (...texts: string[]): Finder =>
  new Finder(texts.map((text, index) => ({ bytes: Buffer.from(text), name: `N${index}` })))

const finder = finderOf(...secrets)

const placesIn = (text: string, from = finder): [number, number, string][] =>
  from.find(Buffer.from(text)).map(({ start, end, name }) => [start, end, name])

test('every secret is found, wherever it stands', () => {
  expect(placesIn('abcdefgh12345678 x Zm9vYmFyYmF6cXV4abcdefgh12345678')).toEqual([
    [0, 16, 'N0'],
    [19, 35, 'N1'],
    [35, 51, 'N0'],
  ])
  expect(placesIn('ü abcdefgh12345678\n')).toEqual([[3, 19, 'N0']])
})

test('a part of one is none', () => {
  expect(placesIn('abcdefgh1234567 bcdefgh12345678')).toEqual([])
  expect(placesIn('')).toEqual([])
})

test('of two that begin alike the longer one counts', () => {
  expect(placesIn('x12345678abcd', finderOf('12345678', '12345678abcd'))).toEqual([[1, 13, 'N1']])
})

test('what overlaps is one', () => {
  expect(placesIn('12345678abcd', finderOf('12345678', '5678abcd'))).toEqual([[0, 12, 'N0']])
})

test.each([
  ['', 0],
  ['nothing', 0],
  ['an a', 1],
  ['abcdefgh1234567', 15],
  ['abcdefgh12345678', 0],
  ['Zm9v', 4],
])('of %j the last %d bytes may go on as a secret', (text, length) => {
  const bytes = Buffer.from(text)

  expect(bytes.length - finder.unfinishedStart(bytes)).toBe(length)
})

test('what is left of one before a gap is found', () => {
  expect(finder.pieceBeforeGap(Buffer.from('token=abcdefgh123'))).toEqual({ start: 6, end: 17, name: 'N0' })
  expect(finder.pieceBeforeGap(Buffer.from('token=Zm9vY'))).toEqual({ start: 6, end: 11, name: 'N1' })
})

test('what is left of one behind a gap is found', () => {
  expect(finder.pieceBehindGap(Buffer.from('h12345678@host'))).toEqual({ start: 0, end: 9, name: 'N0' })
  expect(finder.pieceBehindGap(Buffer.from('5678@host'))).toEqual({ start: 0, end: 4, name: 'N0' })
})

test('a few characters at a gap are no secret', () => {
  expect(finder.pieceBeforeGap(Buffer.from('alphabet abc'))).toBeUndefined()
  expect(finder.pieceBehindGap(Buffer.from('678 lines'))).toBeUndefined()
})

test('ten thousand are found as well as one', () => {
  const texts = Array.from(
    { length: 10_000 },
    (_, index) => `${index}-${(index * 7919).toString(36)}-key-${index}`,
  )
  const many = finderOf(...texts)
  const text = [0, 4999, 9999].map((index) => `a ${texts[index]} b`).join('\n')

  expect(many.find(Buffer.from(text)).map(({ name }) => name)).toEqual(['N0', 'N4999', 'N9999'])
})

test('those that begin and end alike are told apart', () => {
  const texts = Array.from({ length: 2000 }, (_, index) => `ghp_aaaaaaaaaaaa${index * 7919}@host.example.com`)
  const many = finderOf(...texts)
  const text = `ghp_aaaaaaaaaaaa7@host.example.com ${texts[1234]} aaaaaaaaaaaa ${texts[7]}${texts[8]} ghp_aaaaaaaaaaaa`

  expect(many.find(Buffer.from(text)).map(({ name }) => name)).toEqual(['N1234', 'N7', 'N8'])
})

test('of those that begin alike, what is left at a gap is found', () => {
  const many = finderOf('ghp_aaaa', 'ghp_aaaaaaaa1111', 'ghp_aaaaaaaa2222', 'ghp_aaaa3333')

  expect(many.pieceBeforeGap(Buffer.from('x ghp_aaaaaaaa22'))).toEqual({ start: 2, end: 16, name: 'N2' })
  expect(many.pieceBeforeGap(Buffer.from('x ghp_aaaa33'))).toEqual({ start: 2, end: 12, name: 'N3' })
  expect(many.pieceBeforeGap(Buffer.from('x ghp_aaaaaaaa3'))).toBeUndefined()
  expect(many.unfinishedStart(Buffer.from('x ghp_aaaaaaaa2'))).toBe(2)
})
