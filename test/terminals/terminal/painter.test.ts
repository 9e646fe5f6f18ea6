// What is painted is shown on another emulator, as on a person's terminal, and has to come out as the screen. The screens are
// those of real threads: npm run build:ts makes their program.
import { Terminal } from '@xterm/headless'
import fc from 'fast-check'
import { cellWidth } from '../../../lib/terminals/terminal/cell-width.js'
import { LiveScreen } from '../../../lib/terminals/terminal/live-screen.js'
import { ScreenPainter } from '../../../lib/terminals/terminal/painter.js'
import type { Screen } from '../../../lib/terminals/terminal/screen.js'
import { readScreenLines, readStyled } from '../../../lib/terminals/terminal/worker/read-buffer.js'
import { terminalOutput } from './terminal-output.js'

/** A person's terminal. */
const makeTerminal = (rows: number, columns: number): Terminal => {
  const terminal = new Terminal({ rows, cols: columns, allowProposedApi: true, logLevel: 'off' })
  terminal.unicode.register({
    version: 'same',
    wcwidth: cellWidth,
    charProperties: (codePoint, preceding) =>
      cellWidth(codePoint) > 0 || preceding === 0 ? cellWidth(codePoint) << 1 : (preceding & 6) | 1,
  })
  terminal.unicode.activeVersion = 'same'
  return terminal
}
const write = (terminal: Terminal, text: string) =>
  new Promise<void>((resolve) => terminal.write(text, resolve))

const screenOf = (lines: string[], rest: Partial<Screen> = {}): Screen => ({
  rows: 4,
  columns: 20,
  lines,
  cursor: { row: 1, column: 1, visible: true },
  alternate: false,
  applicationCursor: false,
  bracketedPaste: false,
  incomplete: false,
  ...rest,
})

/** Text, colours, and where the cursor goes. */
const drawing = /^(?:[^\p{Cc}\p{Bidi_Control}]|\x1b\[[\d;]*[mHKX]|\x1b\[J|\r\n)*$/u

test('a screen comes out as it is, whatever was shown before, and nothing is sent but text and colours', async () => {
  const size = { rows: 6, columns: 20 }
  const live = new LiveScreen(size)
  const reset = { bytes: Buffer.from('\x18\x1bc') }
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(terminalOutput, { minLength: 2, maxLength: 4 }), async (outputs) => {
        const terminal = makeTerminal(7, 20)
        const painter = new ScreenPainter({ rows: 7, columns: 20 })
        await write(terminal, `shell\r\n${painter.enter()}`)
        await live.draw([reset])
        for (const bytes of outputs) {
          const screen = await live.draw([{ bytes }], { styles: true })
          if ('unavailable' in screen) throw new Error(screen.unavailable)
          const painted = painter.paint(screen, 'job')
          await write(terminal, painted)

          expect(painted).toMatch(drawing)
          const { active } = terminal.buffer
          expect(readStyled(active, 6)).toEqual(screen.styled)
          expect(readScreenLines(active, 7)[6]).toBe('job')
          const { row, column, visible } = screen.cursor
          expect([active.cursorY + 1, active.cursorX + 1]).toEqual(visible ? [row, column] : [7, 1])
          expect(painter.paint(screen, 'job')).toBe(`\x1b[${visible ? `${row};${column}` : '7;1'}H`)
        }
        terminal.dispose()
      }),
      { numRuns: 150 },
    )
  } finally {
    await live.close()
  }
})

describe('what is painted', () => {
  test('is only what differs', () => {
    const painter = new ScreenPainter({ rows: 5, columns: 20 })
    painter.paint(screenOf(['first line', 'second line']), 'job')

    expect(painter.paint(screenOf(['first line', 'second word']), 'job')).toBe('\x1b[2;8Hword\x1b[1;1H')
    expect(painter.paint(screenOf(['first', 'second word']), 'job')).toBe('\x1b[1;7H\x1b[K\x1b[1;1H')
    expect(painter.paint(screenOf(['first', 'second word']), 'Job')).toBe(
      '\x1b[5;1H\x1b[0;7mJ\x1b[0m\x1b[1;1H',
    )
  })

  test('never holds what would be a command, or turn the direction of writing, whoever made the screen', () => {
    const painter = new ScreenPainter({ rows: 5, columns: 40 })
    const hostile = 'a\x1b]52;c;AAAA\x07b\u202ec\x9b6n'

    const painted = painter.paint(screenOf([hostile]), `job\r\n${hostile}`)

    expect(painted).toMatch(drawing)
    expect(painted).not.toContain('\x1b]')
  })

  test('is the part around the cursor where there is less room', async () => {
    const lines = Array.from({ length: 10 }, (_, i) => `${i} ${'abcdefghij'.repeat(3)}`)
    const screen = screenOf(lines, { rows: 10, columns: 32, cursor: { row: 8, column: 25, visible: true } })
    const terminal = makeTerminal(4, 20)
    await write(terminal, new ScreenPainter({ rows: 4, columns: 20 }).paint(screen, 'job'))

    const { active } = terminal.buffer
    expect(readScreenLines(active, 4).slice(0, 3)).toEqual(Array(3).fill('defghijabcdefghijabc'))
    expect([active.cursorY, active.cursorX]).toEqual([2, 19])
  })

  test.each([
    [1, 20],
    [1, 1],
    [2, 1],
    [2, 2],
    [50, 300],
  ])('fits a terminal of %i x %i', async (rows, columns) => {
    const screen = screenOf(['日本', 'x'.repeat(20)], { cursor: { row: 2, column: 20, visible: true } })
    const painter = new ScreenPainter({ rows, columns })
    const terminal = makeTerminal(rows, Math.max(2, columns))
    await write(terminal, painter.enter() + painter.paint(screen, 'a status'))

    const before = terminal.buffer.active.baseY
    await write(terminal, painter.paint(screenOf([]), 'another'))
    expect(terminal.buffer.active.baseY).toBe(before)
  })
})

test('where a terminal gives a character fewer columns, what is behind it is at its place', async () => {
  // The emulator's own widths: one column for 🎉.
  const terminal = new Terminal({ rows: 5, cols: 20, allowProposedApi: true, logLevel: 'off' })
  const painter = new ScreenPainter({ rows: 5, columns: 20 })
  await write(terminal, painter.paint(screenOf(['xxxxxxxxxx']), ''))
  await write(terminal, painter.paint(screenOf(['🎉🎉end']), ''))

  expect(readScreenLines(terminal.buffer.active, 1)).toEqual(['🎉 🎉 end'])
})

test('another size is painted anew', async () => {
  const painter = new ScreenPainter({ rows: 5, columns: 20 })
  const terminal = makeTerminal(5, 20)
  await write(terminal, painter.enter() + painter.paint(screenOf(['one', 'two']), 'job'))
  terminal.resize(30, 8)
  await write(
    terminal,
    painter.resize({ rows: 8, columns: 30 }) + painter.paint(screenOf(['one', 'two']), 'job'),
  )

  expect(readScreenLines(terminal.buffer.active, 8)).toEqual(['one', 'two', '', '', '', '', '', `job`])
})

test('what was shown before is scrolled away, and after leaving the terminal is as it was', async () => {
  const terminal = makeTerminal(5, 20)
  const painter = new ScreenPainter({ rows: 5, columns: 20 })
  await write(terminal, 'mine\r\n$ ')
  const red = { styled: [[{ text: 'red', style: '38;5;1' }]] }
  await write(terminal, painter.enter() + painter.paint(screenOf(['red'], red), 'job') + painter.leave())
  await write(terminal, '$ ')

  const { normal, active } = terminal.buffer
  const all = Array.from({ length: normal.length }, (_, row) => normal.getLine(row)?.translateToString(true))
  expect(all.slice(0, 2)).toEqual(['mine', '$ '])
  expect(readStyled(active, 5)).toEqual([
    [{ text: 'red', style: '38;5;1' }],
    [{ text: '$', style: '' }],
    [],
    [],
    [],
  ])
  expect(active.type).toBe('normal')
})
