// Screens of real threads: npm run build:ts makes their program.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { LiveScreen } from '../../../lib/terminals/terminal/live-screen.js'
import type { Screen, ScreenAnswer } from '../../../lib/terminals/terminal/screen.js'
import { packageRoot } from '../../support/as-user.js'
import { waitFor } from '../../support/wait-for.js'
import { split, terminalOutput } from './terminal-output.js'

const open: LiveScreen[] = []
const make = (size?: { rows: number; columns: number }): LiveScreen => {
  const screen = new LiveScreen(size)
  open.push(screen)
  return screen
}
afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close()
})

const bytes = (text: string) => ({ bytes: Buffer.from(text) })

const shown = (answer: ScreenAnswer): Screen => {
  if ('unavailable' in answer) throw new Error(answer.unavailable)
  return answer
}

const draw = async (text: string, size?: { rows: number; columns: number }): Promise<Screen> =>
  shown(await make(size).draw([bytes(text)]))

describe('a screen', () => {
  test('has text without blanks at its ends, and the cursor', async () => {
    expect(await draw('one\r\n\r\n  two   \x1b[1;3Hx')).toEqual({
      rows: 24,
      columns: 100,
      lines: ['onx', '', '  two'],
      cursor: { row: 1, column: 4, visible: true },
      alternate: false,
      applicationCursor: false,
      bracketedPaste: false,
      incomplete: false,
    })
  })

  test('knows the modes of the program', async () => {
    const { alternate, applicationCursor, bracketedPaste, cursor } = await draw(
      '\x1b[?1049h\x1b[?1h\x1b[?2004h\x1b[?25l',
    )

    expect({ alternate, applicationCursor, bracketedPaste, visible: cursor.visible }).toEqual({
      alternate: true,
      applicationCursor: true,
      bracketedPaste: true,
      visible: false,
    })
  })

  test.each(['\x1bc', '\x1b[!p', '\x1b[?25h'])('shows its cursor again after %j', async (sequence) => {
    expect((await draw(`\x1b[?25l${sequence}`)).cursor.visible).toBe(true)
  })

  test('has the columns of wide and combined characters', async () => {
    const { lines, cursor } = await draw('日本e\u0301🎉|')

    expect([lines, cursor.column]).toEqual([['日本e\u0301🎉|'], 9])
  })

  test('keeps 1,000 rows that have scrolled off', async () => {
    const text = Array.from({ length: 2000 }, (_, i) => `row ${i}`).join('\r\n')
    const screen = shown(await make().draw([bytes(text)], { scrollback: true }))

    expect(screen.lines.at(-1)).toBe('row 1999')
    expect(screen.scrollback).toHaveLength(1000)
    expect(screen.scrollback?.at(-1)).toBe('row 1975')
  })

  test('has styles, if they are asked for', async () => {
    const text = 'a \x1b[1;31mred\x1b[0m \x1b[48;2;1;2;3m  \x1b[m   \r\n\r\n\x1b[7;4;38;5;200mx'
    const { styled } = shown(await make({ rows: 3, columns: 20 }).draw([bytes(text)], { styles: true }))

    expect(styled).toEqual([
      [
        { text: 'a ', style: '' },
        { text: 'red', style: '1;38;5;1' },
        { text: ' ', style: '' },
        { text: '  ', style: '48;2;1;2;3' },
      ],
      [],
      [{ text: 'x', style: '4;7;38;5;200' }],
    ])
  })

  test('takes another size', async () => {
    const screen = make({ rows: 2, columns: 10 })
    await screen.draw([bytes('abc')])
    const after = shown(await screen.draw([{ rows: 4, columns: 20 }, bytes('\x1b[99;99Hx')], {}))

    expect([after.rows, after.columns, after.lines]).toEqual([4, 20, ['abc', '', '', `${' '.repeat(19)}x`]])
  })

  test.each([
    { rows: 0, columns: 80 },
    { rows: 201, columns: 80 },
    { rows: 24, columns: 1 },
    { rows: 24, columns: 501 },
    { rows: 99_999_999, columns: 80 },
  ])('of $rows x $columns is refused', (size) => {
    expect(() => new LiveScreen(size)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_INPUT', message: expect.stringMatching(/^screen\./) }),
    )
  })

  test('is drawn from 4 MiB at most', async () => {
    await expect(make().draw([{ bytes: Buffer.alloc(4 * 1024 * 1024 + 1) }])).rejects.toMatchObject({
      code: 'ERR_INVALID_INPUT',
      message: 'steps: must have at most 4194304 bytes of output (got 4194305)',
    })
  })
})

test('any bytes, split anyhow, give the same screen', async () => {
  const [whole, pieces] = [make({ rows: 6, columns: 20 }), make({ rows: 6, columns: 20 })]
  // Ends what the run before has left open, and resets.
  const reset = bytes('\x18\x1bc\x1b[3J')
  const parts = { scrollback: true, styles: true }
  await fc.assert(
    fc.asyncProperty(terminalOutput, fc.array(fc.nat(), { maxLength: 4 }), async (output, places) => {
      const steps = split(output, places).map((piece) => ({ bytes: piece }))
      const [one, other] = await Promise.all([
        whole.draw([reset, { bytes: output }], parts),
        pieces.draw([reset, ...steps], parts),
      ])

      expect(other).toEqual(one)
      const { lines, cursor } = shown(one)
      expect(lines.length).toBeLessThanOrEqual(6)
      expect(cursor.row).toBeLessThanOrEqual(6)
      expect(cursor.column).toBeLessThanOrEqual(20)
      expect(lines.join('')).not.toMatch(/[\x00-\x1f\x7f-\x9f\p{Bidi_Control}]/u)
    }),
    { numRuns: 150 },
  )
})

describe('what a program prints to harm', () => {
  test('14 bytes that ask for 2147483647 repetitions fill a row', async () => {
    const { lines } = await draw('a\x1b[2147483647b')

    expect(lines).toEqual(['a'.repeat(100), 'a'])
  })

  test('what takes longer than 250 ms is ended, and there is no screen any more', async () => {
    const screen = make({ rows: 200, columns: 500 })
    const answer = await screen.draw([bytes('\x1b#8'.repeat(1024 * 1024))])

    expect(answer).toEqual({ unavailable: 'screen not available: drawing it took more than 250 ms' })
    expect(await screen.draw([bytes('x')])).toEqual(answer)
  })

  test('characters that are joined without end stay eight in a cell', async () => {
    const { lines } = await draw(`e${'\u0301'.repeat(100_000)}`)

    expect([...(lines[0] ?? '')]).toHaveLength(8)
  })
})

test('a megabyte of anything is a screen or none, in bounded memory', async () => {
  const before = process.memoryUsage.rss()
  await fc.assert(
    fc.asyncProperty(
      terminalOutput.filter(({ length }) => length > 0),
      async (output) => {
        const screen = make({ rows: 200, columns: 500 })
        const soup = Buffer.concat(Array(Math.floor((1024 * 1024) / output.length)).fill(output))
        const answer = await screen.draw([{ bytes: soup }], { scrollback: true, styles: true })
        await screen.close()

        expect(answer).toHaveProperty('unavailable' in answer ? 'unavailable' : 'lines')
        expect(process.memoryUsage.rss() - before).toBeLessThan(256 * 1024 * 1024)
      },
    ),
    { numRuns: 6, endOnFailure: true },
  )
})

describe('its thread', () => {
  const threads = () => readdirSync('/proc/self/task').length

  test('is gone when it was closed, and after what took too long', async () => {
    await make().draw([])
    await open.splice(0)[0]?.close()
    const before = threads()
    for (let i = 0; i < 3; i++) {
      const screen = make({ rows: 200, columns: 500 })
      await screen.draw([bytes(i === 1 ? '\x1b#8'.repeat(1024 * 1024) : 'x')])
      await screen.close()
    }

    await waitFor(() => threads() <= before, { what: 'the threads to be gone' })
  })

  test('closed while it draws: whoever waits is told', async () => {
    const screen = make()
    const answer = screen.draw([bytes('x')])
    await screen.close()

    expect(await answer).toEqual({ unavailable: 'screen not available: it was closed' })
  })

  test.each([
    ['does not keep the process when nobody waits', 'await screen.draw([])'],
    ['keeps it as long as somebody waits', 'screen.draw([]).then(() => {})'],
    [
      'does not keep it after what took too long',
      `await screen.draw([{ bytes: Buffer.from('\\x1b#8'.repeat(1e6)) }])`,
    ],
  ])('%s', (_, drawing) => {
    const program = `
      const { LiveScreen } = require(${JSON.stringify(join(packageRoot, 'dist/terminal/screens.js'))})
      const screen = new LiveScreen({ rows: 200, columns: 500 })
      const main = async () => { ${drawing}; console.log('drawn') }
      main()`
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' })

    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'drawn\n', stderr: '' })
  })
})

test('10 MB through one screen leave no memory behind', async () => {
  const screen = make()
  const line = Buffer.from('\x1b[32mline\x1b[0m of some output, as a compiler would print it, in colours\r\n')
  const megabyte = { bytes: Buffer.concat(Array(Math.floor(1e6 / line.length)).fill(line)) }
  const measure = async (count: number) => {
    for (let i = 0; i < count; i++) shown(await screen.draw([megabyte]))
    return process.memoryUsage.rss()
  }
  const before = await measure(4)

  expect((await measure(10)) - before).toBeLessThan(48 * 1024 * 1024)
})
