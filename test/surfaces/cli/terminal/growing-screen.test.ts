// The screen of a log that grows.
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GrowingScreen, type JobNow } from '../../../../lib/surfaces/cli/terminal/growing-screen.js'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'
import { waitFor } from '../../../support/wait-for.js'

const opened: GrowingScreen[] = []
afterEach(async () => {
  for (const screen of opened.splice(0)) await screen.close()
  removeTempDirs()
})

const running: JobNow = { exit: null, altScreen: undefined }

const screenOf = async (text: string, size = { rows: 4, cols: 20 }) => {
  const file = join(tempDir(), 'output')
  writeFileSync(file, text)
  const screen = await GrowingScreen.open(file, size)
  opened.push(screen)
  return { screen, add: (more: string) => appendFileSync(file, more) }
}

test('draws what is there, and on as more comes', async () => {
  const { screen, add } = await screenOf('one\r\ntw')
  expect(await screen.draw(running, {})).toMatchObject({
    lines: ['one', 'tw'],
    cursor: { row: 2, column: 3 },
  })
  add('o\x1b[')
  expect(await screen.draw(running, {})).toMatchObject({ lines: ['one', 'two'] })
  add('1;1HO')
  expect(await screen.draw(running, {})).toMatchObject({ lines: ['One', 'two'], incomplete: false })
})

test('gives nothing when nothing has come', async () => {
  const { screen } = await screenOf('one')
  await screen.draw(running, {})

  expect(await screen.draw(running, {})).toBeUndefined()
})

test('draws of a flood only what is seen', async () => {
  const { screen, add } = await screenOf('first\r\n')
  await screen.draw(running, {})
  add('flood\r\n'.repeat(500_000))
  add('last')

  expect(await screen.draw(running, {})).toMatchObject({ lines: ['flood', 'flood', 'flood', 'last'] })
})

test('knows after a flood that a program is in the alternate screen', async () => {
  const { screen, add } = await screenOf('main\r\n')
  await screen.draw(running, {})
  add(`\x1b[?1049h\x1b[?1h${'\x1b[Hflood\r\n'.repeat(200_000)}`)
  expect(await screen.draw(running, {})).toMatchObject({ lines: ['flood'], alternate: true })
  add(`${'\x1b[Hfloods\r\n'.repeat(2_000_000)}`)
  expect(await screen.draw({ ...running, altScreen: true }, {})).toMatchObject({
    alternate: true,
    incomplete: true,
  })
})

test('is drawn anew in another size', async () => {
  const { screen } = await screenOf(`${'x'.repeat(25)}`)
  expect(await screen.draw(running, {})).toMatchObject({ lines: ['x'.repeat(20), 'xxxxx'] })
  screen.resize({ rows: 3, cols: 30 })
  expect(await screen.draw(running, {})).toMatchObject({ rows: 3, columns: 30, lines: ['x'.repeat(25)] })
  screen.resize({ rows: 3, cols: 30 })
  expect(await screen.draw(running, {})).toBeUndefined()
})

test('has room for one wide character at least', async () => {
  const { screen } = await screenOf('a', { rows: 1, cols: 1 })

  expect(await screen.draw(running, {})).toMatchObject({ rows: 1, columns: 2, lines: ['a'] })
})

test("does not show the supervisor's last words, before and after the job is known to have ended", async () => {
  const { screen, add } = await screenOf('done')
  const words = '\n\n[background process completed]'
  add(words)
  expect(await screen.draw(running, {})).toMatchObject({ lines: ['done'] })
  const exit = { statusLineBytes: words.length } as JobNow['exit']
  expect(await screen.draw({ exit, altScreen: undefined }, {})).toBeUndefined()
})

test('what cannot be drawn in time is left alone for a while, and what comes later is drawn', async () => {
  // Each of these fills all of a large screen.
  const slow = '\x1b#8'.repeat(100_000)
  const { screen, add } = await screenOf(slow, { rows: 200, cols: 500 })
  expect(await screen.draw(running, {})).toMatchObject({
    unavailable: expect.stringContaining('screen not available'),
  })
  add(`${'later\r\n'.repeat(50_000)}\x1b[2J\x1b[Hnow`)
  expect(await screen.draw(running, {})).toBeUndefined()
  const drawn = await waitFor(() => screen.draw(running, {}), { what: 'another attempt' })
  expect(drawn).toMatchObject({ lines: ['now'] })
})
