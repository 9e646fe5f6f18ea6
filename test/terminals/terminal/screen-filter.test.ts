import fc from 'fast-check'
import { ScreenFilter } from '../../../lib/terminals/terminal/screen-filter.js'
import { split, terminalOutput } from './terminal-output.js'

const rows = 24
const columns = 100

const filter = (...pieces: (string | Uint8Array)[]): string => {
  const made = new ScreenFilter(rows, columns)
  return pieces.map((piece) => made.write(Buffer.from(piece as string))).join('')
}

test.each([
  ['text', 'hello é 日本 😀 e\u0301'],
  ['what moves the cursor', 'a\r\n\tb\bc\v\f'],
  ['colours', '\x1b[1;38;2;250;0;3mred\x1b[0m\x1b[38:5:1mx'],
  ['modes', '\x1b[?1049h\x1b[?25l\x1b[?1h\x1b='],
  ['character sets', '\x1b(0lqk\x1b(B\x0e\x0f'],
])('lets %s pass', (_, text) => {
  expect(filter(text)).toBe(text)
})

describe('clamps', () => {
  test.each([
    ['REP', '\x1b[2147483647b', '\x1b[100b'],
    ['ICH', '\x1b[999999@', '\x1b[100@'],
    ['DCH', '\x1b[101P', '\x1b[100P'],
    ['ECH', '\x1b[000000000101X', '\x1b[100X'],
    ['CHT', '\x1b[5000I', '\x1b[100I'],
    ['CBT', '\x1b[5000Z', '\x1b[100Z'],
    ['SU', '\x1b[5000S', '\x1b[24S'],
    ['SD', '\x1b[5000T', '\x1b[24T'],
    ['IL', '\x1b[5000L', '\x1b[24L'],
    ['DL', '\x1b[5000M', '\x1b[24M'],
    ['SL', '\x1b[5000 @', '\x1b[100 @'],
    ['DECIC', "\x1b[5000'}", "\x1b[100'}"],
    ['each parameter', '\x1b[12345;2:99999;123456m', '\x1b[9999;2:9999;9999m'],
    ['positions', '\x1b[99999;7H', '\x1b[9999;7H'],
  ])('%s', (_, sequence, clamped) => {
    expect(filter(`a${sequence}b`)).toBe(`a${clamped}b`)
  })

  test('to the size that the terminal has now', () => {
    const made = new ScreenFilter(rows, columns)
    made.resize(10, 20)

    expect(made.write(Buffer.from('\x1b[99b\x1b[99L'))).toBe('\x1b[20b\x1b[10L')
  })

  test('a sequence that comes byte by byte', () => {
    expect(filter(...Buffer.from('a\x1b[2147483647bc').toString('latin1'))).toBe('a\x1b[100bc')
  })

  test('one with a byte in it that is no character', () => {
    // A decoder that leaves it out would see CSI 9999999 b.
    expect(filter(Buffer.from('a\x1b[99\xff99999b', 'latin1'))).toBe('a\ufffd99999b')
  })
})

test.each([
  ['a title', '\x1b]0;title\x07'],
  ['the clipboard', '\x1b]52;c;AAAA\x1b\\'],
  ['a string of 5 KiB', `\x1b_G${'x'.repeat(5 * 1024)}\x1b\\`],
  ['a device control string', '\x1bP$qm\x1b\\'],
  ['PM and SOS', '\x1b^a\x1b\\\x1bXa\x1b\\'],
  ['controls that show nothing', '\x00\x05\x07\x7f'],
  ['what turns the direction of writing', '\u202e\u2066\u200f'],
  ['tags, which hide text', '\u{e0041}\u{e0042}'],
])('leaves out %s', (_, text) => {
  expect(filter(`a${text}b`)).toBe('ab')
})

describe('a cell', () => {
  test('has at most 8 code points', () => {
    expect(filter(`e${'\u0301'.repeat(5)}`, '\u0301'.repeat(1000), 'x')).toBe(`e${'\u0301'.repeat(7)}x`)
  })

  test.each(['\x1b[D\x1b[C', '\r\x1b[C', '\x1b[m', '\x1b[b'])('gets none later, after %j', (moves) => {
    expect(filter(`e\u0301${moves}\u0301`)).toBe(`e\u0301${moves}`)
  })
})

test('passes on the same however the bytes are split', () => {
  fc.assert(
    fc.property(terminalOutput, fc.array(fc.nat(), { maxLength: 6 }), (bytes, places) => {
      expect(filter(...split(bytes, places))).toBe(filter(bytes))
    }),
    { numRuns: 1000 },
  )
})

test('passes nothing on that takes long or much, whatever the bytes are', () => {
  const harmless =
    /^(?:[^\x00-\x1f\x7f-\x9f]|[\b\t\n\v\f\r\x0e\x0f]|\x1b[ -/]{1,4}[0-~]|\x1b[0-OQ-WYZ\\`-~]|\x1b\[[<-?]?[\d;:]*[ -/]*[@-~])*$/u
  fc.assert(
    fc.property(terminalOutput, (bytes) => {
      const passed = filter(bytes)

      expect(passed).toMatch(harmless)
      expect(passed.length).toBeLessThanOrEqual(bytes.length)
      const tooMuch: string[] = []
      for (const [sequence, parameters = '', final = ''] of passed.matchAll(/\x1b\[([ -?]*)([@-~])/g)) {
        const most = 'STLM'.includes(final) ? rows : /[IZ@PXb]/.test(final) ? columns : 9999
        const numbers = parameters.match(/\d+/g) ?? []
        if (numbers.some((number) => Number(number) > most)) tooMuch.push(sequence)
      }
      for (const [cell] of passed.matchAll(/[^\x00-\x1f][\p{M}\p{Cf}]*/gu)) {
        if ([...cell].length > 8) tooMuch.push(cell)
      }
      expect(tooMuch).toEqual([])
    }),
    { numRuns: 1000 },
  )
})
