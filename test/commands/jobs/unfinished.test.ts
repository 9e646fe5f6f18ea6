// What the end of a growing file may not show yet.
import fc from 'fast-check'
import { statusLineLength, withoutUnfinishedSequence } from '../../../lib/commands/jobs/extent.js'
import { normalizeOutput } from '../../../lib/processes/output/render.js'

const lineLength = (text: string): number => statusLineLength(Buffer.from(text))
const kept = (text: string): string => withoutUnfinishedSequence(Buffer.from(text)).toString()

describe('statusLineLength', () => {
  test.each([
    '[background process completed]',
    '[background process failed: exit code 1]',
    '[background process failed: exit code 255]',
    '[background process killed: SIGKILL]',
    '[background process killed: SIGRTMIN+3]',
    '[background process timed out after 24h]',
  ])('knows %s', (line) => {
    expect(lineLength(`é output\n\n${line}`)).toBe(line.length + 2)
    expect(lineLength(`\n\n${line}`)).toBe(line.length + 2)
  })

  test.each([
    '',
    'x',
    '[background process completed]',
    'a\n[background process completed]',
    '\n\n[background process completed]\n',
  ])('finds none in %j', (text) => {
    expect(lineLength(text)).toBe(0)
  })
})

describe('withoutUnfinishedSequence', () => {
  test.each([
    '\x1b',
    '\x1b[',
    '\x1b[3',
    '\x1b[38;5;1',
    '\x1b]',
    '\x1b]0;titlé',
    '\x1b]0;t\x1b',
    '\x1b(',
    '\u009b3',
    '\x1bPq',
  ])('leaves out %j', (sequence) => {
    expect(kept(`text${sequence}`)).toBe('text')
  })

  test.each([
    '',
    'text',
    '\x1b[31m',
    '\x1b]0;title\x07',
    '\x1b]0;title\x1b\\',
    '\x1b]0;t\u009c',
    '\x1b]0;a\nb',
    '\x1b7',
    '\x1b[3é',
  ])('leaves %j as it is', (text) => {
    expect(kept(text)).toBe(text)
  })

  test('leaves out only the last of several', () => {
    expect(kept('\x1b[31mred\x1b[')).toBe('\x1b[31mred')
  })

  test('does not take a long text for the beginning of a sequence', () => {
    const text = `\x1b]${'x'.repeat(9000)}`

    expect(kept(text)).toBe(text)
  })

  test('takes no time for many escapes', () => {
    const text = '\x1b]'.repeat(100_000)

    expect(kept(text).length).toBe(text.length - 2)
  })

  test('lets colours cut anywhere render as they do uncut', () => {
    const piece = fc.constantFrom('a', 'é', '\x1b[1;31m', '\x1b[0m', '\x1b]0;t\x07', '\x1b(B', ' ', 'xyz')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.nat(), (pieces, seed) => {
        const bytes = Buffer.from(pieces.join(''))
        const cut = bytes.length === 0 ? 0 : seed % bytes.length
        const first = withoutUnfinishedSequence(bytes.subarray(0, cut))
        const rest = bytes.subarray(first.length)
        // A cut through é shows in both parts; this function does not deal with that.
        fc.pre(!`${first}${rest}`.includes('\uFFFD'))
        expect(normalizeOutput(first.toString()) + normalizeOutput(rest.toString())).toBe(
          normalizeOutput(bytes.toString()),
        )
      }),
      { numRuns: 500 },
    )
  })
})
