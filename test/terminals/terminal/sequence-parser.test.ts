import fc from 'fast-check'
import { SequenceParser } from '../../../lib/terminals/terminal/sequence-parser.js'
import { splitText, terminalOutput } from './terminal-output.js'

/** What the parser tells, with text in one piece. */
const parse = (pieces: readonly string[], characters: 'text' | 'bytes' = 'text'): string[] => {
  const told: string[] = []
  let text = ''
  const tell = (entry: string) => {
    if (text !== '') told.push(`text ${text}`)
    text = ''
    told.push(entry)
  }
  const parser = new SequenceParser(
    {
      print: (piece, from, to) => {
        text += piece.slice(from, to)
      },
      control: (character) => tell(`control ${character.charCodeAt(0).toString(16)}`),
      escape: (sequence, start) => tell(`escape ${sequence} at ${start}`),
      csi: (parameters, final, start) => tell(`csi ${parameters}${final} at ${start}`),
    },
    characters,
  )
  for (const piece of pieces) parser.write(piece)
  tell('end')
  return told.slice(0, -1)
}

test.each<[string, string, string[]]>([
  ['text', 'hello é', ['text hello é']],
  ['controls', 'a\tb\x7f', ['text a', 'control 9', 'text b', 'control 7f']],
  ['CSI sequences', 'a\x1b[1;31mb', ['text a', 'csi 1;31m at 1', 'text b']],
  ['private ones', '\x1b[?1049h\x1b[>4;1m', ['csi ?1049h at 0', 'csi >4;1m at 8']],
  ['intermediates', '\x1b[4 q\x1b(B', ['csi 4 q at 0', 'escape (B at 5']],
  ['C1 controls', '\x9b2J\x8d\x85', ['csi 2J at 0', 'escape M at 3', 'escape E at 4']],
  ['a newline within a sequence before it', '\x1b[2\nA', ['control a', 'csi 2A at 0']],
  ['what an escape begins within another sequence', '\x1b[2\x1b[3A', ['csi 3A at 3']],
  ['nothing of a sequence that was cancelled', '\x1b[2\x18A', ['text A']],
  ['text that ends a sequence', '\x1b[2éA', ['text éA']],
  [
    'nothing of strings',
    '\x1b]0;a\x07b\x1bPq\x07c\x1b\\d\x1b_e\x9cf\x1b^g\x1b\\h\x1bXi\x1b\\',
    ['text bdfh'],
  ],
  ['what cancels a string', '\x1b]0;a\x1b[Kb', ['csi K at 5', 'text b']],
  ['nothing of a sequence that is too long', `\x1b[${'1;'.repeat(200)}mb`, ['text b']],
])('tells %s', (_, text, told) => {
  expect(parse([text])).toEqual(told)
})

test('of bytes, those of characters are no controls', () => {
  const bytes = Buffer.from('ś\x1b[Kě').toString('latin1')

  expect(parse([bytes], 'bytes')).toEqual(['text Å\x9b', 'csi K at 2', 'text Ä\x9b'])
})

test('a string of any length takes no memory, and is over with its end', () => {
  const parser = new SequenceParser(
    { print: () => {}, control: () => {}, escape: () => {}, csi: () => {} },
    'text',
  )
  parser.write('\x1b]52;c;')
  const piece = 'x'.repeat(1024 * 1024)
  for (let i = 0; i < 8; i++) parser.write(piece)

  expect(parser.isInText).toBe(false)
  parser.write('\x1b\\')
  expect(parser.isInText).toBe(true)
})

test.each(['text', 'bytes'] as const)('tells the same however %s are split', (characters) => {
  fc.assert(
    fc.property(terminalOutput, fc.array(fc.nat(), { maxLength: 6 }), (output, places) => {
      const text = output.toString(characters === 'text' ? 'utf8' : 'latin1')

      expect(parse(splitText(text, places), characters)).toEqual(parse([text], characters))
    }),
    { numRuns: 1000 },
  )
})
