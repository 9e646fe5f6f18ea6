// Reading output: whole, bounded, from an offset, while it grows.
import {
  appendFileSync,
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs'
import { constants } from 'node:os'
import type { ReadJobOptions } from '../../lib/jobs/read-options.js'
import { JobStore } from '../../lib/jobs/store.js'
import { isRoot, ordinaryUid } from '../support/as-user.js'
import { cannotTest } from '../support/must-work.js'
import { removeTempDirs } from '../support/temp-dir.js'
import { type JobFiles, jobsDirectory, startSleep, stopAll, writeJob } from './job-files.js'

afterEach(async () => {
  await stopAll()
  removeTempDirs()
})

const id = 'bash_aaaaaa'

const jobWith = (files: JobFiles) => {
  const root = jobsDirectory()
  const paths = writeJob(root, id, files)
  const store = new JobStore({ directory: root })
  const read = (options?: ReadJobOptions) => store.read(id, options)
  return { store, paths, read }
}

const running = async (output: string | Buffer = '') => jobWith({ output, supervisor: await startSleep() })

/** Reads on and on with `maxBytes` until nothing comes any more, and gives what came. */
const readAll = async (
  read: (options: ReadJobOptions) => Promise<{ output: string; nextOffset: number }>,
  maxBytes: number,
) => {
  const pages: string[] = []
  for (let offset = 0; ; ) {
    const { output, nextOffset } = await read({ offset, maxBytes })
    if (nextOffset === offset) return pages
    pages.push(output)
    offset = nextOffset
  }
}

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
    const { store, read } = await running('accumulated\n')
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

describe('offset', () => {
  test('gives what follows it', async () => {
    const { read } = jobWith({ output: 'abcdef', exit: {} })

    expect(await read({ offset: 2 })).toMatchObject({ output: 'cdef', nextOffset: 6, outputBytes: 6 })
  })

  test.each([6, 7, 1e12])('%d, at the end or beyond, gives nothing', async (offset) => {
    const { read } = jobWith({ output: 'abcdef', statusLine: '\n\n[background process completed]', exit: {} })

    expect(await read({ offset })).toMatchObject({ output: '', nextOffset: 6, truncated: false })
  })

  test('inside a character begins at the next one', async () => {
    const { read } = jobWith({ output: 'a😀b', exit: {} })

    for (const offset of [2, 3, 4]) expect(await read({ offset })).toMatchObject({ output: 'b' })
    expect(await read({ offset: 1 })).toMatchObject({ output: '😀b' })
    expect(await read({ offset: 5 })).toMatchObject({ output: 'b' })
  })

  test('before stray continuation bytes keeps them', async () => {
    const { read } = jobWith({ output: Buffer.from([0x61, 0x80, 0x62]), exit: {} })

    expect(await read({ offset: 1 })).toMatchObject({ output: '\uFFFDb' })
  })

  test('follows a growing file without losing or repeating anything', async () => {
    const { read, paths } = await running()
    const text = 'aé日😀\n'.repeat(20)
    const bytes = Buffer.from(text)
    let offset = 0
    let seen = ''
    for (let at = 0; at < bytes.length; at++) {
      appendFileSync(paths.output, bytes.subarray(at, at + 1))
      const { output, nextOffset } = await read({ offset })
      expect(output).not.toContain('\uFFFD')
      seen += output
      offset = nextOffset
    }
    expect(seen).toBe(text)
  })

  test('follows colours that come byte by byte', async () => {
    const { read, paths } = await running()
    const bytes = Buffer.from('\x1b[1;31mred\x1b[0m plain \x1b]0;title\x07\x1b[32mgreen\x1b[m\n')
    let offset = 0
    let seen = ''
    for (let at = 0; at < bytes.length; at++) {
      appendFileSync(paths.output, bytes.subarray(at, at + 1))
      const { output, nextOffset } = await read({ offset, normalizeOutput: true })
      seen += output
      offset = nextOffset
    }
    expect(seen).toBe('red plain green\n')
  })

  test('gives the incomplete end of a job that has ended', async () => {
    const { read } = jobWith({ output: Buffer.from('aé').subarray(0, 2), exit: {} })

    expect(await read()).toMatchObject({ output: 'a\uFFFD', nextOffset: 2, binary: true })
  })
})

describe('maxBytes', () => {
  test.each([4, 5, 6, 7, 11])('%d gives the output in pages, cut between characters', async (maxBytes) => {
    const output = 'aé日😀'.repeat(30)
    const { read } = jobWith({ output, statusLine: '\n\n[background process completed]', exit: {} })

    const pages = await readAll(read, maxBytes)

    expect(pages.join('')).toBe(output)
    for (const page of pages) expect(Buffer.byteLength(page)).toBeLessThanOrEqual(maxBytes)
  })

  test.each([4, 5, 9])('%d gets through bytes that are no characters', async (maxBytes) => {
    const { read } = jobWith({ output: Buffer.alloc(100, 0xe6), exit: {} })

    expect((await readAll(read, maxBytes)).join('')).toHaveLength(100)
  })

  test('gets through an endless escape sequence', async () => {
    const { read } = jobWith({ output: `\x1b]${'x'.repeat(100)}`, exit: {} })
    const rendered = (options: ReadJobOptions) => read({ ...options, normalizeOutput: true })

    expect((await readAll(rendered, 8)).length).toBeGreaterThan(10)
  })
})

describe('what is refused', () => {
  test.each([
    [{ offset: -1 }, 'options.offset'],
    [{ offset: 1.5 }, 'options.offset'],
    [{ offset: '7' }, 'options.offset'],
    [{ maxBytes: 3 }, 'options.maxBytes'],
    [{ maxChars: 1 }, 'options.maxChars'],
    [{ maxChars: 10_000_001 }, 'options.maxChars'],
    [{ filterTimeoutMs: 0 }, 'options.filterTimeoutMs'],
    [{ normalizeOutput: 'yes' }, 'options.normalizeOutput'],
    [{ signal: 7 }, 'options.signal'],
    [{ ofset: 1 }, 'options.ofset: unknown field'],
    [7, 'options: must be an object'],
  ])('%j', async (options, message) => {
    const { read } = jobWith({ exit: {} })

    await expect(read(options as ReadJobOptions)).rejects.toMatchObject({
      code: 'ERR_INVALID_INPUT',
      message: expect.stringContaining(message),
    })
  })

  test('an output that is a link, a FIFO or a directory', async () => {
    const { read, paths } = jobWith({ exit: {} })
    rmSync(paths.output)
    symlinkSync('/etc/passwd', paths.output)
    await expect(read()).rejects.toMatchObject({
      code: 'ERR_JOB_DIRECTORY',
      step: 'open',
      path: paths.output,
    })
    rmSync(paths.output)
    mkdirSync(paths.output)
    await expect(read()).rejects.toMatchObject({ code: 'ERR_JOB_DIRECTORY', step: 'read' })
  })

  test('an output that is not there', async () => {
    const { read, paths } = jobWith({ exit: {} })
    rmSync(paths.output)

    await expect(read()).rejects.toMatchObject({
      code: 'ERR_JOB_DIRECTORY',
      step: 'open',
      errno: constants.errno.ENOENT,
      path: paths.output,
    })
  })

  test('an output that this user may not read', async () => {
    if (!isRoot) return cannotTest('only root can become another user')
    const root = jobsDirectory(ordinaryUid)
    const paths = writeJob(root, id, { exit: {}, output: 'secret' })
    chmodSync(paths.directory, 0o755)
    chmodSync(paths.record, 0o644)
    chmodSync(paths.exit, 0o644)
    process.seteuid?.(ordinaryUid)
    try {
      await expect(new JobStore({ directory: root }).read(id)).rejects.toMatchObject({
        code: 'ERR_JOB_DIRECTORY',
        step: 'open',
        errno: constants.errno.EACCES,
      })
    } finally {
      process.seteuid?.(0)
    }
  })

  test('a read that is aborted already', async () => {
    const { read } = jobWith({ exit: {} })
    const reason = new Error('enough')

    await expect(read({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  test('no descriptor stays open after any of this', async () => {
    const { read, paths } = jobWith({ output: 'x', exit: {} })
    await read()
    const before = readdirSync('/proc/self/fd').length
    for (let i = 0; i < 20; i++) await read({ filter: 'x' })
    rmSync(paths.output)
    mkdirSync(paths.output)
    for (let i = 0; i < 20; i++) await read().catch(() => {})

    expect(readdirSync('/proc/self/fd').length).toBe(before)
  })
})
