// What is shown of bytes that are not UTF-8.
import { readable } from '../../../../lib/processes/output/encodings/readable.js'
import { isNotice } from '../../../../lib/processes/output/notices.js'

const captured = (...parts: (Buffer | string)[]) => {
  const head = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  return { head, tail: Buffer.alloc(0), total: head.length }
}
const decode = ({ head, tail }: { head: Buffer; tail: Buffer }) => head.toString() + tail.toString()
const shown = (...parts: (Buffer | string)[]) => readable(captured(...parts), decode)

const little = (text: string) => Buffer.from(text, 'utf16le')
const big = (text: string) => little(text).swap16()
const [littleMark, bigMark] = [Buffer.from('fffe', 'hex'), Buffer.from('feff', 'hex')]

describe('UTF-16 with a byte order mark', () => {
  const text = 'hällo 日本語 𝒳\r\nzweite\n'

  test.each([
    ['little-endian', [littleMark, little(text)], text],
    ['big-endian', [bigMark, big(text)], text],
    [
      'behind a line, and before one',
      ['first\n', littleMark, little(text), 'last\n'],
      `first\n${text}last\n`,
    ],
    ['before more of a line', [littleMark, little('x'), 'last\n'], 'xlast\n'],
    ['big-endian before more of a line', [bigMark, big('x'), 'last\n'], 'xlast\n'],
    ['two files', [littleMark, little(text), littleMark, little(text)], text + text],
    ['two files of two kinds', [littleMark, little(text), '--\n', bigMark, big(text)], `${text}--\n${text}`],
    ['before a byte', [littleMark, little('hello\n'), '7'], 'hello\n7'],
    ['before a letter of UTF-8', [littleMark, little('hello\n'), 'é'], 'hello\né'],
    ['before a line of UTF-8', [littleMark, little('hello\n'), 'é\n'], 'hello\né\n'],
    ['before more of UTF-8', [littleMark, little('日本\n'), '日本語 é\n', 'x'], '日本\n日本語 é\nx'],
    ['big-endian before UTF-8', [bigMark, big('hello\n'), 'été\n'], 'hello\nété\n'],
    ['of letters without a zero', [littleMark, little('日本語日本語')], '日本語日本語'],
    ['nothing else', [littleMark], ''],
  ])('%s', (_, parts, expected) => {
    expect(shown(...parts)).toEqual({
      output: expected,
      note: 'it is UTF-16, decoded here',
    })
  })

  test('without what is to be hidden', () => {
    const hide = (text: string) => text.replaceAll('secret', '***')
    expect(readable(captured(littleMark, little('a secret\n')), decode, hide)?.output).toBe('a ***\n')
  })

  test.each([
    ['little-endian', littleMark, little, ''],
    ['big-endian', bigMark, big, ''],
    ['behind a line of an odd length', littleMark, little, 'ab\n'],
  ])('with a gap, %s', (_, mark, write, before) => {
    const bytes = Buffer.concat([Buffer.from(before), mark, write('0123456789'.repeat(20))])
    const edges: unknown[] = []
    const hide = (text: string, each: unknown) => {
      edges.push(each)
      return text.replace('890123456789', 'X')
    }
    for (const cut of [0, 1]) {
      const stream = {
        head: bytes.subarray(0, before.length + 40 + cut),
        tail: bytes.subarray(-24 - cut),
        total: bytes.length,
      }
      const shown = `${before}0123456789012345678`
      expect(readable(stream, decode)?.output).toBe(`${shown}890123456789`)
      expect(readable(stream, decode, hide)?.output).toBe(`${shown}X`)
    }
    expect(edges.slice(0, 2)).toEqual([
      { isBehindGap: false, isBeforeGap: true },
      { isBehindGap: true, isBeforeGap: false },
    ])
  })

  test('with a gap where marks have changed lengths', () => {
    const [head, text] = [Buffer.concat([littleMark, little('one\n')]), little('two\nthree\n')]
    for (const tail of [text, text.subarray(1)]) {
      const stream = { head, tail, total: 1000, printed: 990 }
      expect(readable(stream, decode, (text) => text)?.output).toMatch(/^one\nt?wo\nthree\n$/)
    }
  })

  test('what is not decoded is not shown where it has something to hide', () => {
    const hide = (text: string) => text.replaceAll('secret', '***')
    const note = 'it looks like UTF-16LE with withheld values, and is not shown: | iconv -f UTF-16LE -t UTF-8'
    expect(readable(captured(little('a secret\n')), decode, hide)).toEqual({ output: '', note })
    expect(readable(captured(big('a secret'), Buffer.from('ff', 'hex')), decode, hide)?.output).toBe('')
    expect(readable(captured(little('another\n')), decode, hide)?.output).toBeUndefined()
  })

  test.each([
    ['a few bytes', [littleMark, 'AB']],
    ['what follows may be either', [littleMark, little('日本'), 'ab']],
    ['what follows is cut', [littleMark, little('日本'), 'é\n']],
    ['symbols of all scripts', [littleMark, little('\u0915\u0a15\u0b95\u0e01\u10d0\u1200')]],
  ])('not where it cannot be told apart: %s', (_, parts) => {
    expect(shown(...parts)?.output).toBeUndefined()
  })

  test('not where the rest is none', () => {
    expect(shown(littleMark, Buffer.from('00d800d80000'.repeat(4), 'hex'))?.output).toBeUndefined()
  })
})

/** As iconv writes them; JavaScript only reads them. */
const encoded: [name: string, hex: string][] = [
  ['GBK', 'c3bbd3d0c4c7b8f6cec4bcfebbf2c4bfc2bca3acc7ebbcecb2e9c2b7beb6cac7b7f1d5fdc8b70a'],
  ['BIG5', 'a853a6b3a8baadd3c0c9aed7a9cea5d8bffda141bdd0c0cbac64b8f4ae7cac4fa75fa5bfbd540a'],
  ['SHIFT_JIS', '837483408343838b82aa8ca982c282a982e882dc82b982f181428a6d944682b582c482ad82be82b382a20a'],
  ['EUC-JP', 'a5d5a5a1a5a4a5eba4acb8aba4c4a4aba4eaa4dea4bba4f3a1a3b3cec7a7a4b7a4c6a4afa4c0a4b5a4a40a'],
  ['EUC-KR', 'c6c4c0cfc0bb20c3a3c0bb20bcf620bef8bdc0b4cfb4d92e20b0e6b7ceb8a620c8aec0cec7cfbcbcbfe40a'],
  ['WINDOWS-1251', 'd4e0e9eb20ede520ede0e9e4e5ed2c20eff0eee2e5f0fcf2e520efd3f2fc0a'],
  ['KOI8-R', 'e6c1cacc20cec520cec1cac4c5ce2c20d0d2cfd7c5d2d8d4c520d0d5d4d80a'],
  ['CP866', '94a0a9ab20ada520ada0a9a4a5ad2c20afe0aea2a5e0ece2a520afe3e2ec0a'],
  ['ISO-8859-1', '4772f6df6520fc626572707266656e2c20c46e646572756e670a'],
  ['WINDOWS-1252', '93636166e994202d206f6b0a'],
  ['UTF-16LE', little('a line without a mark\n').toString('hex')],
  ['UTF-16BE', big('a line without a mark\n').toString('hex')],
]

describe('text in another encoding is named, with the way out', () => {
  test.each(encoded)('%s', (name, hex) => {
    const note = `it looks like ${name}: | iconv -f ${name} -t UTF-8, or | base64`
    expect(shown(Buffer.from(hex, 'hex'))).toEqual({ note: expect.stringContaining(note) })
    expect(shown('größe\n', Buffer.from(hex, 'hex'), '日本語\n')).toEqual(
      name.startsWith('UTF-16') ? expect.anything() : { note: expect.stringContaining(note) },
    )
  })

  test.each([
    ['a few bytes', 'ff'],
    ['a NUL', '610062ff'],
    ['single letters with NULs between', Buffer.from('a\0b\0c\0').toString('hex')],
    ['names with NULs between', Buffer.from('/etc/a\0/etc/b\0'.repeat(40)).toString('hex')],
    ['control characters', '01e402e503e604e705e8'.repeat(3)],
    ['symbols', '3dff3d3dfe3dff3d'],
  ])('nothing is said of %s', (_, hex) => {
    expect(shown(Buffer.from(hex, 'hex'))).toBeUndefined()
  })
})

describe('mostly binary output', () => {
  const noise = (length: number) =>
    Buffer.from(Array.from({ length }, (_, at) => (at * 167 + (at >> 3)) % 256))

  test.each([
    ['a PNG image', '89504e470d0a1a0a'],
    ['an ELF file', '7f454c46'],
    ['gzip data', '1f8b'],
    ['a PDF file', '255044462d312e370a'],
  ])('%s is told by its first bytes', (kind, hex) => {
    const found = shown(Buffer.from(hex, 'hex'), noise(2000))
    expect(found?.output).toMatch(new RegExp(`^00000000: ${hex.slice(0, 4)}`))
    expect(found?.output?.trimEnd().split('\n')).toHaveLength(4)
    expect(found?.note).toContain(`B, ${kind}; of it, the first 64 bytes are shown. To look at it: `)
  })

  test('text before it stays', () => {
    const found = shown('header\n', Buffer.from('1f8b', 'hex'), noise(2000))
    expect(found?.output).toMatch(/^header\n00000000: 1f8b/)
    expect(found?.note).toContain('2.0KB, gzip data')
  })

  test.each([
    ['in a line of its own', '\n', 'curl: (18) transfer closed\n'],
    ['in the same line', '', "ls: cannot access '/nonexist'\n"],
    ['of a few letters', '', 'ok\n'],
    ['of several lines, the last without its end', '', 'é one\ntwo\nthree'],
  ])('text after it stays, %s', (_, before, after) => {
    const png = Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      noise(2000),
      Buffer.from('ae426082', 'hex'),
    ])
    const found = shown(png, before, after)
    expect(found?.output).toMatch(/^00000000: 8950/)
    expect(found?.output?.endsWith(`\n${after}`)).toBe(true)
    expect(found?.note).toContain('2.0KB, a PNG image; of it, the first 64 bytes are shown')
  })

  test('of text behind a gap, and of much, its last whole lines stay', () => {
    const lines = `${'x'.repeat(99)}\n`.repeat(100)
    const head = Buffer.concat([Buffer.from('1f8b', 'hex'), noise(20_000)])
    const found = readable({ head, tail: Buffer.from(lines.slice(50)), total: 500_000 }, decode)
    expect(found?.output?.split('\n').slice(4)).toEqual([...Array(81).fill('x'.repeat(99)), ''])
    expect(found?.note).toMatch(/^48\d\.\dKB, gzip data/)
  })

  test('what is text for more than a half is not replaced', () => {
    expect(shown(noise(1000), '\n', 'a line of text\n'.repeat(100))).toBeUndefined()
    expect(shown(noise(1000), '\n', 'a line of text\n'.repeat(50))?.output).toContain('a line of text')
  })

  test('zeros are no text either', () => {
    expect(shown(Buffer.alloc(100))?.note).toContain('100B; of it')
  })

  test('what is short, or mostly text, is shown', () => {
    expect(shown(noise(40))).toBeUndefined()
    expect(shown('a line of text, and one more of it\n'.repeat(50), noise(64))).toBeUndefined()
  })
})

test('every note has the form of one of our lines', () => {
  for (const bytes of [
    Buffer.alloc(100),
    Buffer.concat([littleMark, little('x')]),
    ...encoded.map(([, hex]) => Buffer.from(hex, 'hex')),
  ]) {
    expect(isNotice(`[output is not text: ${shown(bytes)?.note}]`)).toBe(true)
  }
})
