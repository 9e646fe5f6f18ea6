import { TerminalOutput } from '../../../lib/surfaces/cli/terminal-output.js'

class Sink {
  text = ''
  writableLength = 0
  write(text: string): void {
    this.text += text
  }
}

/** Pieces of output, a number standing for so many bytes skipped before the next one. */
type Pieces = (string | number)[]

interface Result {
  output: string
  truncated: boolean
  tail: string
}

const whole = (output: string): Result => ({ output, truncated: false, tail: output })
const truncated = (tail: string): Result => ({
  output: `the beginning\n\n[snip]\n\n${tail}`,
  truncated: true,
  tail,
})

const showAll = (output: TerminalOutput, pieces: Pieces) => {
  let dropped = 0
  for (const piece of pieces) {
    if (typeof piece === 'number') {
      dropped = piece
    } else {
      output.show({ type: 'output', stream: 'output', text: piece, dropped })
      dropped = 0
    }
  }
}

/** What is on the screen before the end of the command, and after it. */
const screen = async (pieces: Pieces, result: Result): Promise<[string, string]> => {
  const sink = new Sink()
  const output = new TerminalOutput(sink)
  showAll(output, pieces)
  const before = sink.text
  await output.end(result)
  return [before, sink.text]
}

describe('TerminalOutput', () => {
  test('pieces are written as they come, and nothing is added at the end', async () => {
    expect(await screen(['one\n', 'two'], whole('one\ntwo'))).toEqual(['one\ntwo', 'one\ntwo'])
  })

  test('what was rendered differently is not touched', async () => {
    expect(await screen(['10%', '20%'], whole('20%, and all is done'))).toEqual(['10%20%', '10%20%'])
  })

  test('what follows a gap is written at once, after a marker on a line of its own', async () => {
    const [before] = await screen(['one', 2048, 'two\n', 1, 'three'], whole(''))
    expect(before).toBe('one\n[... 2.0KB skipped ...]\ntwo\n[... 1B skipped ...]\nthree')
  })

  test('the marker can be painted', () => {
    const sink = new Sink()
    showAll(new TerminalOutput(sink, (marker) => `<${marker}>`), [3, 'x'])
    expect(sink.text).toBe('<[... 3B skipped ...]>\nx')
  })

  test('truncated output that was not skipped is not repeated', async () => {
    const pieces = ['a'.repeat(100_000), 'b'.repeat(100_000)]
    expect((await screen(pieces, truncated('bbbb')))[1]).toBe(pieces.join(''))
  })

  test('what is missing at the end of short output is filled in', async () => {
    expect((await screen(['one ', 5, ''], whole('one zwölf')))[1]).toBe('one zwölf')
  })

  test('the last gap is filled in also when others were not', async () => {
    const [, after] = await screen(['a', 3, 'b', 2, ''], whole('a123bcd'))
    expect(after).toBe('a\n[... 3B skipped ...]\nbcd')
  })

  test('of long output the end is filled in after a marker', async () => {
    const head = 'a'.repeat(70_000)
    const [, after] = await screen([head, 1_000_000, ''], truncated('the end\n'))
    expect(after).toBe(`${head}\n[... 976.6KB skipped ...]\nthe end\n`)
  })

  test('of a long end the last 4 KiB are filled in', async () => {
    const [, after] = await screen(['a', 10_000, ''], truncated('b'.repeat(9000)))
    expect(after).toBe(`a\n[... 5.8KB skipped ...]\n${'b'.repeat(4096)}`)
  })

  test('an end shorter than what the result has of it is filled in without a marker', async () => {
    const head = 'a'.repeat(200_000)
    const [, after] = await screen([head, 7, ''], truncated(`${'a'.repeat(100)}zwölf\n`))
    expect(after).toBe(`${head}zwölf\n`)
  })

  test('an end that the result does not have is a marker', async () => {
    expect((await screen(['a', 5, ''], truncated('')))[1]).toBe('a\n[... 5B skipped ...]\n')
  })

  test('output beyond what a slow terminal may leave waiting is skipped', () => {
    const sink = new Sink()
    const output = new TerminalOutput(sink)
    showAll(output, ['a'])
    sink.writableLength = 17 * 1024 * 1024
    showAll(output, ['zwölf'])
    sink.writableLength = 0
    showAll(output, ['go on'])

    expect(sink.text).toBe('a\n[... 6B skipped ...]\ngo on')
  })

  test.each([
    ['nothing was written', [], true],
    ['a whole line was written', ['one\n'], true],
    ['a part of a line was written', ['one\n', 'two'], false],
  ])('endsLine: when %s: %p is %p', (_, pieces, expected) => {
    const output = new TerminalOutput(new Sink())
    showAll(output, pieces)
    expect(output.endsLine).toBe(expected)
  })
})
