import fc from 'fast-check'
import { normalizeOutput, OutputRenderer } from '../../../lib/processes/output/render.js'

/** Renders pieces and gives the whole result. */
function renderPieces(pieces: string[]): string {
  const renderer = new OutputRenderer()
  return pieces.map((piece) => renderer.write(piece)).join('') + renderer.end()
}

describe('normalizeOutput: text', () => {
  it('leaves plain text alone', () => {
    const text = 'a\tb\n\n  é€😀 \n no newline at the end'
    expect(normalizeOutput(text)).toBe(text)
  })

  it('makes CRLF a newline', () => {
    expect(normalizeOutput('a\r\nb\r\n')).toBe('a\nb\n')
  })

  it.each([
    ['BEL', '\x07'],
    ['NUL', '\0'],
    ['shift out', '\x0e'],
    ['DEL', '\x7f'],
    ['a C1 string terminator', '\x9c'],
  ])('removes %s', (_name, character) => {
    expect(normalizeOutput(`a${character}b\n${character}c`)).toBe('ab\nc')
  })
})

describe('normalizeOutput: escape sequences', () => {
  it.each([
    ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
    ['colours with colons', '\x1b[38:2::1:2:3mred\x1b[m', 'red'],
    ['private modes', '\x1b[?25lx\x1b[?2004h', 'x'],
    ['CSI with an intermediate character', '\x1b[4 qx', 'x'],
    ['CSI as one C1 character', '\x9b31mred\x9b0m', 'red'],
    ['a title ended by BEL', '\x1b]0;title\x07x', 'x'],
    ['a title ended by ST', '\x1b]0;title\x1b\\x', 'x'],
    ['a title ended by a C1 ST', '\x1b]0;title\x9cx', 'x'],
    ['a hyperlink', '\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['DCS', '\x1bP1$r0m\x1b\\x', 'x'],
    ['APC', '\x1b_Gf=100;AAAA\x1b\\x', 'x'],
    ['PM', '\x1b^private\x1b\\x', 'x'],
    ['SOS', '\x1bXstring\x1b\\x', 'x'],
    ['a character set', '\x1b(Bx\x1b)0y', 'xy'],
    ['two-character escapes', '\x1b7x\x1b8\x1b=y\x1bc', 'xy'],
    ['an escape repeated', '\x1b\x1b[31mx', 'x'],
    ['a cancelled sequence', '\x1b]0;title\x18x', 'x'],
    ['a string that another escape cancels', '\x1b]0;title\x1b[31mx', 'x'],
  ])('removes %s', (_name, text, expected) => {
    expect(normalizeOutput(text)).toBe(expected)
  })

  it.each(['\x1b', '\x1b[', '\x1b[31', '\x1b(', '\x1b]0;title', '\x1b]0;title\x1b', '\x1bPx'])(
    'removes what the end of the output leaves incomplete: %j',
    (incomplete) => {
      expect(normalizeOutput(`text${incomplete}`)).toBe('text')
    },
  )

  it('keeps the character that ends a broken CSI sequence', () => {
    expect(normalizeOutput('a\x1b[3\nb\x1b[é')).toBe('a\nbé')
  })

  it('shows a string as text when a newline comes before its end', () => {
    expect(normalizeOutput('a\x1b]b\nc\nd')).toBe('ab\nc\nd')
  })

  it('shows a string as text when it is longer than any real one', () => {
    const rest = 'x'.repeat(100_000)
    expect(normalizeOutput(`a\x1b]${rest}`)).toBe(`a${rest}`)
  })

  it('shows the parameters of a CSI sequence as text when they are longer than any real ones', () => {
    const rest = '1'.repeat(100_000)
    expect(normalizeOutput(`a\x1b[${rest}`)).toBe(`a${rest}`)
  })

  it('removes a string as long as a chunk of the kitty graphics protocol', () => {
    expect(normalizeOutput(`a\x1b_Gm=1;${'A'.repeat(4096)}\x1b\\b`)).toBe('ab')
  })
})

describe('normalizeOutput: cursor', () => {
  it('shows the last state of carriage-return progress', () => {
    const output = Array.from({ length: 20_000 }, (_, i) => `\r${i + 1}%`).join('')
    expect(normalizeOutput(output)).toBe('20000%')
  })

  it.each([
    ['overwrites from the start of the line', 'abcdef\rxy\n', 'xycdef\n'],
    ['clears a line that is erased before it is rewritten', 'long text\r\x1b[Kshort\n', 'short\n'],
    ['takes backspaces back', 'spin -\b\\\b|\b/\n', 'spin /\n'],
    ['shows overstruck text once', 'N\bNA\bAM\bME\bE _\bx\n', 'NAME x\n'],
    ['stops backspaces at the start of the line', 'a\b\b\b\bb\n', 'b\n'],
    ['erases to the right', 'abcdef\x1b[3D\x1b[0KX', 'abcX'],
    ['erases to the left, with the cell of the cursor', 'abcdef\x1b[3D\x1b[1K', '    ef'],
    ['erases the whole line and leaves the cursor', 'abc\x1b[2Kd', '   d'],
    ['erases the line as part of the screen', 'abc\r\x1b[Jd', 'd'],
    ['leaves the line when only the scrollback is erased', 'abc\x1b[3J', 'abc'],
    ['leaves the line for a selective erase', 'abc\x1b[?2K', 'abc'],
    ['moves to a column counted from 1', 'abc\x1b[2GX', 'aXc'],
    ['moves to the first column by default', 'abc\x1b[GX', 'Xbc'],
    ['takes column 0 for column 1', 'abc\x1b[0GX', 'Xbc'],
    ['moves right over new columns as spaces', 'a\x1b[3Cb', 'a   b'],
    ['moves by one by default', 'abc\x1b[DX', 'abX'],
    ['does not show a move to the right that nothing follows', 'a\x1b[10C\n', 'a\n'],
  ])('%s', (_name, text, expected) => {
    expect(normalizeOutput(text)).toBe(expected)
  })

  it('does not split a surrogate pair by overwriting', () => {
    expect(normalizeOutput('😀😀\ra')).toBe('a😀')
    expect(normalizeOutput('a😀\bb')).toBe('ab')
  })

  it('moves no further than the right margin', () => {
    expect(normalizeOutput('\x1b[999999999Cx')).toBe(`${' '.repeat(255)}x`)
    expect(normalizeOutput('\x1b[999999999Gx')).toBe(`${' '.repeat(255)}x`)
    expect(normalizeOutput(`\x1b[${'9'.repeat(400)}Cx`)).toBe(`${' '.repeat(255)}x`)
  })
})

describe('normalizeOutput: other lines', () => {
  it.each([
    ['down', 'a\r\x1b[1Bb', 'a\nb'],
    ['down in a column', 'abc\x1b[Bd', 'abc\n   d'],
    ['down to the beginning', 'abc\x1b[2Ed', 'abc\nd'],
    ['up', 'a\x1b[1Ab', 'a\n b'],
    ['up to the beginning', 'abc\x1b[Fd', 'abc\nd'],
    ['to a place', 'a\x1b[2;5Hb\x1b[1;1fc', 'a\n    b\nc'],
    ['to a row', 'a\x1b[4db', 'a\n b'],
    ['index', 'a\r\x1bDb', 'a\nb'],
    ['next line', 'a\x1bEb\x85c', 'a\nb\nc'],
    ['vertical tabs and form feeds', 'a\r\vb\r\fc', 'a\nb\nc'],
    ['from a line that is empty', 'a\n\f\x1b[1A\x1b[2Bb\r\x1b[2K\x1b[1Ac\n', 'a\nc\n'],
    [
      'after an erasure, no further than the right margin',
      `${'x'.repeat(300)}\x1b[By`,
      `${'x'.repeat(300)}\n${' '.repeat(255)}y`,
    ],
  ])('a movement ends the line: %s', (_name, text, expected) => {
    expect(normalizeOutput(text)).toBe(expected)
  })
})

describe('OutputRenderer', () => {
  it('gives a line as soon as its newline has come', () => {
    const renderer = new OutputRenderer()
    expect(renderer.write('one\ntw')).toBe('one\n')
    expect(renderer.write('o\nthree')).toBe('two\n')
    expect(renderer.end()).toBe('three')
  })

  it('joins an escape sequence split over two writes', () => {
    expect(renderPieces(['a\x1b', '[3', '1mb\x1b]0;t', 'itle\x1b', '\\c'])).toBe('abc')
  })

  it('joins CRLF split over two writes', () => {
    expect(renderPieces(['a\r', '\nb\r', '\n'])).toBe('a\nb\n')
  })

  it('joins a surrogate pair split over two writes, also where it overwrites', () => {
    expect(renderPieces(['ab\r\ud83d', '\ude00'])).toBe('😀b')
  })

  it('keeps a surrogate pair whole behind an escape', () => {
    expect(renderPieces(['\bA\n\x1b\u{1f600}\rA'])).toBe('A\nA')
  })

  it('can be used again after the end', () => {
    const renderer = new OutputRenderer()
    renderer.write('a\x1b]0;')
    expect(renderer.end()).toBe('a')
    expect(renderer.write('b\n')).toBe('b\n')
  })

  const unit = fc.oneof(
    fc.constantFrom(
      '\x1b',
      '\x1b[',
      '\x1b]',
      '\x1b\\',
      '\r',
      '\n',
      '\b',
      '\t',
      '\x07',
      '\x9b',
      '\x9c',
      '\x18',
    ),
    fc.constantFrom(
      'A',
      'B',
      '2E',
      'F',
      '2;3H',
      'd',
      'K',
      '1K',
      '2K',
      'G',
      '3G',
      'C',
      'D',
      'm',
      ';',
      '?',
      ' ',
      '(',
      '\\',
      'P',
    ),
    fc.constantFrom('a', 'b', 'é', '😀', '\ud83d', '\ude00'),
  )
  const output = fc.array(unit, { maxLength: 40 }).map((units) => units.join(''))

  it('renders the same however the input is split', () => {
    fc.assert(
      fc.property(output, fc.array(fc.nat(80), { maxLength: 8 }), (text, places) => {
        const cuts = [0, ...places.map((p) => p % (text.length + 1)).sort((a, b) => a - b), text.length]
        const pieces = cuts.slice(1).map((end, i) => text.slice(cuts[i], end))
        expect(renderPieces(pieces)).toBe(normalizeOutput(text))
      }),
      { numRuns: 5000 },
    )
  })

  it('leaves no control character except tabs and newlines', () => {
    fc.assert(
      fc.property(fc.oneof(output, fc.string({ unit: 'binary' })), (text) => {
        expect(normalizeOutput(text)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
      }),
      { numRuns: 2000 },
    )
  })

  it('changes nothing that it has rendered already', () => {
    fc.assert(
      fc.property(output, (text) => {
        const once = normalizeOutput(text)
        expect(normalizeOutput(once)).toBe(once)
      }),
    )
  })
})

// What is quadratic in one of these needs 10^11 steps and more.
describe('normalizeOutput on a line of a megabyte', () => {
  const size = 1_000_000
  const half = 'x'.repeat(size / 2)
  const fill = (unit: string) => unit.repeat(Math.ceil(size / 2 / unit.length))

  it.each([
    ['carriage returns', fill('\r') + half],
    ['carriage returns with text', half + fill('\ry')],
    ['backspaces', half + fill('\b')],
    ['backspaces with text', half + fill('\by')],
    ['escapes without text', fill('\x1b[0m') + half],
    ['moves to the end of the line', half + fill('\r\x1b[999999999Cx')],
    ['erasures to the left', half + fill('\x1b[1K')],
    ['erasures to the left, with text', half + fill('\x1b[1Ky')],
    ['erasures to the left before the end', `${half}\x1b[99999D${fill('\x1b[1K')}`],
    ['erasures of the line, with text', half + fill('\x1b[2Ky')],
    ['moves to both ends with erasures', half + fill('\ry\x1b[999999G\x1b[1K')],
    ['tabs', fill('\t\b')],
    ['tabs overwritten', fill('\t\b\by')],
    ['unfinished strings', fill('\x1b]x')],
    ['C1 characters in unfinished strings', `\x1b]${fill('\x9d')}\x1b]${fill('\x9b')}`],
    ['a string without an end', `\x1b]${half}`],
    ['moves right before newlines', fill('\x1b[255Cx\n')],
    ['moves to other lines', half + fill('\x1b[By')],
    ['moves to other lines without text', half + fill('\x1b[A\x1b[B')],
  ])('takes time in proportion to the input: %s', (_name, text) => {
    const start = performance.now()
    normalizeOutput(text)
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})
