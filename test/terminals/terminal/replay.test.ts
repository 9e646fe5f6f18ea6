// npm run build:ts makes the program of the threads.
import { type Replay, replayScreen } from '../../../lib/terminals/terminal/replay.js'
import { type Screen, screenState, screenText } from '../../../lib/terminals/terminal/screen.js'

const replay = async (text: string, rest: Omit<Replay, 'bytes'> = {}): Promise<Screen> => {
  const answer = await replayScreen({ bytes: Buffer.from(text), ...rest })
  if ('unavailable' in answer) throw new Error(answer.unavailable)
  return answer
}

test('a screen is 24 rows of 100 columns by default', async () => {
  const { rows, columns, incomplete } = await replay('x')

  expect({ rows, columns, incomplete }).toEqual({ rows: 24, columns: 100, incomplete: false })
})

describe('sizes of the terminal', () => {
  test('count from their offsets on', async () => {
    const text = `${'a'.repeat(6)}\x1b[2J\x1b[H${'b'.repeat(25)}`
    const sizes = [
      { offset: 0, rows: 5, columns: 10 },
      { offset: 6, rows: 3, columns: 20 },
    ]

    expect((await replay(text, { sizes })).lines).toEqual(['b'.repeat(20), 'b'.repeat(5)])
  })

  test('count when they come after the last output, too', async () => {
    const { rows, columns } = await replay('x', {
      sizes: [
        { offset: 0, rows: 5, columns: 10 },
        { offset: 1, rows: 7, columns: 30 },
      ],
    })

    expect([rows, columns]).toEqual([7, 30])
  })

  test('of before the first byte: the last one counts', async () => {
    const sizes = [
      { offset: 0, rows: 5, columns: 10 },
      { offset: 900, rows: 6, columns: 12 },
    ]

    expect(await replay('x', { sizes, offset: 1000 })).toMatchObject({ rows: 6, columns: 12 })
  })

  test('in no order, or at no place, do no harm', async () => {
    const sizes = [30, Number.NaN, 3, -1, 1e9, 7, 3].map((offset, i) => ({
      offset,
      rows: 5,
      columns: 10 + i,
    }))
    const { lines, columns } = await replay('0123456789', { sizes, offset: 2 })

    expect({ text: lines.join(''), columns }).toEqual({ text: '0123456789', columns: 14 })
  })

  test('that no terminal has are clamped', async () => {
    const sizes = [{ offset: 0, rows: 99_999_999, columns: Number.NaN }]

    expect(await replay('x', { sizes })).toMatchObject({ rows: 200, columns: 2 })
  })
})

test('of more than 4 MiB the end is drawn, from a whole line on, and the screen may be incomplete', async () => {
  const lines = '\x1b[Hsome line of a log that is long\r\n'.repeat(130_000)
  const { incomplete, lines: shown } = await replay(`\x1b[3;1Hearly${lines}`)

  expect({ incomplete, shown }).toEqual({ incomplete: true, shown: ['some line of a log that is long'] })
})

test('a part that begins in the middle begins with a whole line', async () => {
  const { lines, incomplete } = await replay('5;3Hrest\r\nline', { offset: 500, incomplete: true })

  expect({ lines, incomplete }).toEqual({ lines: ['line'], incomplete: true })
})

test('a part of what a full-screen program draws is on the alternate screen', async () => {
  const drawn = await replay('\x1b[2Jvim\x1b[?1049lafter', { alternate: true })

  expect({ lines: drawn.lines, alternate: drawn.alternate }).toEqual({ lines: ['after'], alternate: false })
})

describe('the text of a screen', () => {
  test('is its rows', () => {
    expect(screenText({ lines: ['a', '', 'b'] }, 100)).toEqual({ text: 'a\n\nb', truncated: false })
  })

  test('is as long as other output may be', () => {
    const { text, truncated } = screenText({ lines: Array(200).fill('x'.repeat(500)) }, 1000)

    expect({ truncated, length: text.length < 1100 }).toEqual({ truncated: true, length: true })
    expect(text).toContain('[output truncated: first 500 and last 500 of 100199 characters]')
  })
})

test.each([
  [false, 'screen 24x100, cursor 23,74'],
  [true, 'screen 24x100, cursor 23,74, may be incomplete'],
])('the state of a screen (incomplete: %s) is %s', (incomplete, text) => {
  const cursor = { row: 23, column: 74, visible: true }

  expect(screenState({ rows: 24, columns: 100, cursor, incomplete })).toBe(text)
})
