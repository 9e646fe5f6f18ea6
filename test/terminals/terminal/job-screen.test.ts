// The screen of a job: of a program that fills it, of one that prints lines, and of one that has ended.
import { spawnSync } from 'node:child_process'
import { leaveNothing, waitForOutput } from '../../commands/jobs-live/live-jobs.js'
import { cannotTest } from '../../support/must-work.js'
import { closeTerminals, startTerminal } from './live-terminal.js'

afterEach(async () => {
  closeTerminals()
  await leaveNothing()
})

const timeoutMs = 30_000

test('shows what the program shows, and where its cursor is', async () => {
  const { terminal } = await startTerminal('printf "one\\ntwo\\e[5;9Hthree"; read x', {
    tty: { rows: 10, cols: 40 },
  })
  await terminal.wait({ timeoutMs })

  expect(await terminal.screen()).toEqual({
    rows: 10,
    columns: 40,
    lines: ['one', 'two', '', '', '        three'],
    cursor: { row: 5, column: 14, visible: true },
    alternate: false,
    applicationCursor: false,
    bracketedPaste: false,
    incomplete: false,
  })
})

test('of an editor', async () => {
  if (spawnSync('vim', ['--version']).error !== undefined) return cannotTest('there is no vim')
  const { terminal } = await startTerminal('vim -u NONE -n')
  await terminal.wait({ timeoutMs })
  await terminal.keys('i', 'h', 'i')
  await terminal.wait({ timeoutMs })

  const screen = await terminal.screen()
  expect(screen).toMatchObject({ alternate: true, cursor: { row: 1, column: 3 }, incomplete: false })
  expect((screen as { lines: string[] }).lines[0]).toBe('hi')
})

test('with what has scrolled off, and colours, if that is wanted', async () => {
  const { terminal } = await startTerminal('seq 30; printf "\\e[31mred"; read x')
  await terminal.wait({ timeoutMs })

  const screen = await terminal.screen({ scrollback: true, styles: true })
  expect(screen).toMatchObject({ scrollback: ['1', '2', '3', '4', '5', '6', '7'] })
  expect((screen as { styled: unknown[] }).styled.at(-1)).toEqual([{ text: 'red', style: '38;5;1' }])
})

test('of a job that has ended is the last one', async () => {
  const { terminal, store, id } = await startTerminal('printf "\\e[2J\\e[Hlast words"')
  await store.wait(id, { timeoutMs })

  expect(await terminal.screen()).toMatchObject({ rows: 24, columns: 100, lines: ['last words'] })
})

test('has the size that the terminal was given last', async () => {
  const { terminal } = await startTerminal('printf "0123456789"; read x')
  await terminal.wait({ timeoutMs })
  await terminal.resize({ rows: 3, cols: 5 })

  expect(await terminal.screen()).toMatchObject({ rows: 3, columns: 5, lines: ['01234', '56789'] })
})

test('of a program that has printed a lot is drawn in bounded memory', async () => {
  const { terminal, outputFile } = await startTerminal('seq 1300000; printf "end"; read x')
  await waitForOutput(outputFile, 'end')
  const before = process.memoryUsage.rss()
  const screen = await terminal.screen()

  expect(screen).toMatchObject({ cursor: { row: 24, column: 4 } })
  expect((screen as { lines: string[] }).lines.slice(-2)).toEqual(['1300000', 'end'])
  expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(120)
})

test('needs parts that are known', async () => {
  const { terminal } = await startTerminal('read x')

  await expect(terminal.screen({ colours: true } as object)).rejects.toThrow(
    'parts.colours: unknown field (allowed: scrollback, styles)',
  )
})

test('of a job without a terminal there is none', async () => {
  const { store } = await startTerminal('read x')
  await expect(store.open('bash_000000').screen()).rejects.toMatchObject({ code: 'ERR_JOB_NOT_FOUND' })
})
