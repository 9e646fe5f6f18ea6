// Lines of a stream of bytes.
import fc from 'fast-check'
import { type Line, readLines } from '../../../lib/surfaces/cli/check-lines.js'

async function* streamOf(chunks: readonly Uint8Array[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

const linesOf = async (chunks: readonly Uint8Array[], limit?: number): Promise<Line[]> => {
  const lines: Line[] = []
  for await (const line of readLines(streamOf(chunks), limit)) lines.push(line)
  return lines
}

const textsOf = async (chunks: readonly string[], limit?: number) => {
  const lines = await linesOf(
    chunks.map((chunk) => Buffer.from(chunk)),
    limit,
  )
  return lines.map((line) => ('bytes' in line ? line.bytes.toString() : line))
}

test.each([
  ['nothing', [], []],
  ['a line', ['a\n'], ['a']],
  ['a last line without an end', ['a\nb'], ['a', 'b']],
  ['empty lines', ['\n\n'], ['', '']],
  ['a line in pieces', ['a', 'b', 'c\nd', '\n'], ['abc', 'd']],
  ['a line break alone', ['a', '\n', '\n'], ['a', '']],
])('%s', async (_, chunks, lines) => {
  expect(await textsOf(chunks)).toEqual(lines)
})

test('a line that is too long is told as such, and the next one is read', async () => {
  expect(await textsOf(['abcd\nabc\n', 'ab', 'cd', 'ef\n', 'x'], 3)).toEqual([
    { tooLong: 3 },
    'abc',
    { tooLong: 3 },
    'x',
  ])
})

test('however the bytes come, the lines are the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ max: 12, maxLength: 8 })), async (chunks) => {
      const whole = Buffer.concat(chunks)
      const expected = await linesOf([whole])

      expect(await linesOf(chunks)).toEqual(expected)
      const joined = expected.map((line) => ('bytes' in line ? line.bytes.toString('latin1') : '')).join('\n')
      expect([joined, `${joined}\n`]).toContain(whole.toString('latin1'))
    }),
  )
})
