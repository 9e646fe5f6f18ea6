// Reading output: whole and bounded, while it grows.
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { JobStore } from '../../../lib/commands/jobs/store.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { startSleep, stopAll } from './job-files.js'
import { id, jobWith, runningJob } from './readable-job.js'

afterEach(async () => {
  await stopAll()
  removeTempDirs()
})

describe('read', () => {
  test('gives all output of an ended job, without the status line', async () => {
    const statusLine = '\n\n[background process failed: exit code 7]'
    const { read } = jobWith({ output: 'a\nb\n', statusLine, exit: { status: 'failed', exitCode: 7 } })

    expect(await read()).toEqual({
      status: 'failed',
      output: 'a\nb\n',
      truncated: false,
      binary: false,
      exitCode: 7,
      signal: null,
      outputBytes: 4,
      nextOffset: 4,
      droppedBytes: 0,
      unsearchedBytes: 0,
    })
  })

  test('gives the same to every reader', async () => {
    const { store, read } = await runningJob('accumulated\n')
    const other = new JobStore({ directory: store.directory })

    expect(await read()).toEqual(await other.read(id))
    expect(await read()).toMatchObject({ status: 'running', output: 'accumulated\n', nextOffset: 12 })
  })

  test('takes a status line that the job printed for output', async () => {
    const line = '\n\n[background process completed]'
    const { read } = jobWith({ output: `x${line}`, statusLine: line, exit: {} })

    expect(await read()).toMatchObject({ output: `x${line}` })
  })

  test('does not show the status line before exit.json tells its length', async () => {
    const { read } = jobWith({
      output: 'x',
      statusLine: '\n\n[background process killed: SIGKILL]',
      supervisor: await startSleep(),
    })

    expect(await read()).toMatchObject({ status: 'running', output: 'x', nextOffset: 1 })
  })

  test('does not show it when its supervisor died before it wrote exit.json', async () => {
    const { read } = jobWith({ output: 'x', statusLine: '\n\n[background process completed]' })

    expect(await read()).toMatchObject({ status: 'lost', output: 'x', nextOffset: 1 })
  })

  test('gives everything when there is no status line, for the disk was full', async () => {
    const { read } = jobWith({ output: 'abc', exit: { lostBytes: 9, lostErrno: 28, statusLineBytes: 0 } })

    expect(await read()).toMatchObject({
      output: 'abc',
      error: {
        code: 'ERR_JOB_DIRECTORY',
        message: expect.stringContaining('9 bytes of output could not be written'),
      },
    })
  })

  test('does not mind a length of the status line that cannot be', async () => {
    const { read } = jobWith({ output: 'abc', exit: { statusLineBytes: 1000 } })

    expect(await read()).toMatchObject({ output: '', nextOffset: 0 })
  })

  test('says why a job is lost, beside its output', async () => {
    const { read } = jobWith({ output: 'so far' })

    expect(await read()).toMatchObject({
      status: 'lost',
      output: 'so far',
      error: { code: 'ERR_SUPERVISOR_LOST', message: expect.stringContaining('supervisor') },
    })
  })

  test('tells what was dropped', async () => {
    const output = 'first\n\n[123 bytes dropped]\n\nlast'
    const { read } = jobWith({ output, exit: { outputBytes: 132, droppedBytes: 123 } })

    expect(await read()).toMatchObject({ output, outputBytes: 132, droppedBytes: 123 })
  })

  test('shows NULs and what is not UTF-8, and says so', async () => {
    const { read } = jobWith({ output: Buffer.from([0x61, 0, 0xff, 0x62]), exit: {} })

    expect(await read()).toMatchObject({ output: 'a␀\uFFFDb', binary: true })
  })

  test('renders progress and colours when asked to, only then', async () => {
    const { read } = jobWith({ output: '\x1b[32m10%\r100%\x1b[0m\n', exit: {} })

    expect(await read()).toMatchObject({ output: '\x1b[32m10%\r100%\x1b[0m\n' })
    expect(await read({ normalizeOutput: true })).toMatchObject({ output: '100%\n' })
  })
})

describe('a long output', () => {
  test('of 30,000 characters is given whole', async () => {
    const output = 'é'.repeat(30_000)
    const { read } = jobWith({ output, exit: {} })

    expect(await read()).toMatchObject({ output, truncated: false })
  })

  test('of more is given in two halves', async () => {
    const { read } = jobWith({ output: `${'a'.repeat(15_000)}x${'b'.repeat(15_000)}`, exit: {} })

    expect(await read()).toMatchObject({
      output: `${'a'.repeat(15_000)}\n\n[output truncated: first 15000 and last 15000 of 30001 characters]\n\n${'b'.repeat(15_000)}`,
      truncated: true,
      nextOffset: 30_001,
    })
  })

  test('is bounded as asked', async () => {
    const { read } = jobWith({ output: '0123456789', exit: {} })

    expect(await read({ maxChars: 4 })).toMatchObject({
      output: '01\n\n[output truncated: first 2 and last 2 of 10 characters]\n\n89',
    })
  })

  test('of several megabytes shows its ends, on character boundaries', async () => {
    for (const shift of ['', 'x', 'xy', 'xyz']) {
      const { read } = jobWith({ output: shift + '日'.repeat(600_000), exit: {} })

      const { output, truncated, binary } = await read()

      expect(truncated).toBe(true)
      expect(binary).toBe(false)
      expect(output).not.toContain('\uFFFD')
      expect(output.startsWith(`${shift}日日`)).toBe(true)
      expect(output.endsWith('日日')).toBe(true)
      expect(output).toContain('first 15000 and last 15000 of ')
    }
  })

  test('of 1 GiB is not loaded', async () => {
    const { read, paths } = jobWith({ output: 'first line\n', exit: { outputBytes: 1024 ** 3 } })
    const file = openSync(paths.output, 'r+')
    ftruncateSync(file, 1024 ** 3 - 10)
    writeSync(file, 'last line\n', 1024 ** 3 - 10)
    closeSync(file)
    const before = process.memoryUsage().rss

    const { output, nextOffset } = await read()

    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
    expect(output.startsWith('first line\n')).toBe(true)
    expect(output.endsWith('last line\n')).toBe(true)
    expect(nextOffset).toBe(1024 ** 3)
  })

  test('is not rendered from the middle of an escape sequence', async () => {
    const line = `\x1b[38;5;196m${'x'.repeat(20)}\x1b[0m\n`
    const { read } = jobWith({ output: line.repeat(40_000), exit: {} })

    const { output } = await read({ normalizeOutput: true })

    expect(output.replace(/\n\n\[output truncated.*\]\n\n/, '')).toMatch(/^[x\n]+$/)
  })
})
