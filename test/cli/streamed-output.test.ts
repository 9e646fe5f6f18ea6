import fc from 'fast-check'
import { StreamedOutput, type StreamedOutputOptions } from '../../lib/cli/streamed-output.js'
import { blankResult } from '../../lib/engine/result.js'
import type { BashResult } from '../../lib/index.js'

class Sink {
  text = ''
  writableLength = 0
  write(text: string): void {
    this.text += text
  }
}

/** Pieces of output, a number standing for so many bytes skipped before the next one. */
type Pieces = (string | number)[]

const resultOf = (output: string, fields: Partial<BashResult> = {}): BashResult => ({
  ...blankResult('true', 'completed'),
  output,
  ...fields,
})

const truncatedResult = (head: string, tail: string): BashResult =>
  resultOf(`${head}\n\n[snip]\n\n${tail}`, { truncated: true })

const showAll = (output: StreamedOutput, pieces: Pieces) => {
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

const stream = (
  options: StreamedOutputOptions,
  pieces: Pieces,
  result: BashResult,
): { text: string; skipped: number; beforeEnd: string } => {
  const sink = new Sink()
  const output = new StreamedOutput(sink, options)
  showAll(output, pieces)
  const beforeEnd = sink.text
  output.end(result)
  return { text: sink.text, skipped: output.skippedBytes, beforeEnd }
}

const now: StreamedOutputOptions = { gaps: 'now' }
const late: StreamedOutputOptions = { gaps: 'late' }

describe.each([now, late])('with gaps: $gaps', (options) => {
  test('pieces are written as they come, and nothing is added at the end', () => {
    expect(stream(options, ['one\n', 'two'], resultOf('one\ntwo'))).toEqual({
      text: 'one\ntwo',
      skipped: 0,
      beforeEnd: 'one\ntwo',
    })
  })

  test('truncated output that was not skipped is not repeated', () => {
    const pieces = ['a'.repeat(100_000), 'b'.repeat(100_000)]
    expect(stream(options, pieces, truncatedResult('aaaa', 'bbbb')).text).toBe(pieces.join(''))
  })

  test('what is missing at the end of short output is filled in', () => {
    expect(stream(options, ['one ', 5, ''], resultOf('one zwölf'))).toMatchObject({
      text: 'one zwölf',
      skipped: 0,
    })
  })

  test('of long output the end is filled in after a marker', () => {
    const head = 'a'.repeat(70_000)
    const pieces = [head, 1_000_000, '']
    expect(stream(options, pieces, truncatedResult('aaaa', 'the end\n'))).toMatchObject({
      text: `${head}\n[... 976.6KB skipped ...]\nthe end\n`,
      skipped: 999_992,
    })
  })

  test('an end shorter than what the result has of it is filled in without a marker', () => {
    const head = 'a'.repeat(200_000)
    const result = truncatedResult('aaaa', `${'a'.repeat(100)}zwölf\n`)
    expect(stream(options, [head, 7, ''], result)).toMatchObject({ text: `${head}zwölf\n`, skipped: 0 })
  })

  test('the separator of truncated output may be a part of the output', () => {
    const head = 'a'.repeat(200_000)
    const result = truncatedResult('a\n\n[snip]\n\na', 'end')
    expect(stream(options, [head, 1000, ''], result).text).toBe(`${head}\n[... 997B skipped ...]\nend`)
  })

  test('output beyond what a slow reader may leave waiting is skipped', () => {
    const sink = new Sink()
    const output = new StreamedOutput(sink, options)
    showAll(output, ['a'.repeat(200_000)])
    sink.writableLength = 17 * 1024 * 1024
    showAll(output, ['zwölf'])
    sink.writableLength = 0
    showAll(output, ['go on'])

    expect(sink.text).toBe(`${'a'.repeat(200_000)}\n[... 6B skipped ...]\ngo on`)
  })
})

describe('gaps: now', () => {
  test('what follows a gap is written at once, after a marker on a line of its own', () => {
    expect(stream(now, ['one', 2048, 'two\n', 1, 'three'], resultOf('')).beforeEnd).toBe(
      'one\n[... 2.0KB skipped ...]\ntwo\n[... 1B skipped ...]\nthree',
    )
  })

  test('the marker can be painted', () => {
    const paint = (marker: string) => `<${marker}>`
    expect(stream({ gaps: 'now', paint }, [3, 'x'], resultOf('')).beforeEnd).toBe('<[... 3B skipped ...]>\nx')
  })

  test('the last gap is filled in also when others were not', () => {
    expect(stream(now, ['a', 3, 'b', 2, ''], resultOf('a123bcd'))).toMatchObject({
      text: 'a\n[... 3B skipped ...]\nbcd',
      skipped: 3,
    })
  })
})

describe('gaps: late', () => {
  test('what follows a gap waits for the result, which fills it in', () => {
    expect(stream(late, ['one', 4, 'three', 1, ''], resultOf('one two three!'.replaceAll(' ', '')))).toEqual({
      text: 'onetwothree!',
      skipped: 0,
      beforeEnd: 'one',
    })
  })

  test('it waits no longer once the result cannot have it all', () => {
    const pieces = ['one', 100_000, 'two', 'b'.repeat(40_000), 'three', 10, 'four']
    expect(stream(late, pieces, truncatedResult('one', 'four'))).toMatchObject({
      beforeEnd: `one\n[... 97.7KB skipped ...]\ntwo${'b'.repeat(40_000)}three\n[... 10B skipped ...]\nfour`,
      skipped: 100_010,
    })
  })

  test('what still waits when truncated output ends is written with its markers', () => {
    // Bytes that make no text of their own: a result may be truncated although little text was seen.
    expect(stream(late, ['one', 10, 'two', 5, ''], truncatedResult('one', 'end')).text).toBe(
      'one\n[... 10B skipped ...]\ntwo\n[... 2B skipped ...]\nend',
    )
  })

  test('output of up to 128 KiB is complete, whatever was skipped', () => {
    const piece = fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 50 }), skip: fc.boolean() })
    fc.assert(
      fc.property(fc.array(piece), (parts) => {
        const whole = parts.map(({ text }) => text).join('')
        const pieces = parts.flatMap(
          ({ text, skip }): Pieces => (skip ? [Buffer.byteLength(text), ''] : [text]),
        )
        expect(stream(late, pieces, resultOf(whole))).toMatchObject({ text: whole, skipped: 0 })
      }),
    )
  })
})

describe('endsLine', () => {
  test.each([
    ['nothing was written', [], true],
    ['a whole line was written', ['one\n'], true],
    ['a part of a line was written', ['one\n', 'two'], false],
  ])('when %s: %p is %p', (_, pieces, expected) => {
    const output = new StreamedOutput(new Sink(), now)
    showAll(output, pieces)
    expect(output.endsLine).toBe(expected)
  })
})
