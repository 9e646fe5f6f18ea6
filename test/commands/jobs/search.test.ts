// Filtered reads: which lines come, how much of them, and what a large file costs.
import { appendFileSync, closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import type { ReadJobOptions } from '../../../lib/commands/jobs/read.js'
import { JobStore } from '../../../lib/commands/jobs/store.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { type JobFiles, jobsDirectory, stopAll } from './job-files.js'
import { jobWith as readableJob, runningJob } from './readable-job.js'

afterEach(async () => {
  await stopAll()
  removeTempDirs()
})

const jobWith = (files: JobFiles) => filtered(readableJob(files))

const filtered = ({ paths, read }: ReturnType<typeof readableJob>) => ({
  paths,
  read: (filter: string, options?: ReadJobOptions) => read({ filter, ...options }),
})

const ended = (output: string | Buffer) => jobWith({ output, exit: {} })

const running = async (output: string) => filtered(await runningJob(output))

describe('a filtered read', () => {
  test('gives the whole lines that match, in order', async () => {
    const { read } = ended('one error\nfine\n\nerror two\nfine\n')

    expect(await read('error')).toMatchObject({
      output: 'one error\nerror two\n',
      truncated: false,
      nextOffset: 31,
      unsearchedBytes: 0,
    })
  })

  test('gives nothing when nothing matches', async () => {
    expect(await ended('a\nb\n').read('z')).toMatchObject({ output: '', truncated: false, nextOffset: 4 })
    expect(await ended('').read('^$')).toMatchObject({ output: '', nextOffset: 0 })
  })

  test('looks at each line by itself', async () => {
    const { read } = ended('ab\ncd\n\n')

    expect(await read('b\\s*c')).toMatchObject({ output: '' })
    expect(await read('^c')).toMatchObject({ output: 'cd\n' })
    expect(await read('^$')).toMatchObject({ output: '\n' })
  })

  test('looks at the last line also without a newline', async () => {
    expect(await ended('a\nlast').read('last')).toMatchObject({ output: 'last', nextOffset: 6 })
  })

  test('does not look at the status line', async () => {
    const { read } = jobWith({ output: 'x\n', statusLine: '\n\n[background process completed]', exit: {} })

    expect(await read('process|^$')).toMatchObject({ output: '' })
  })

  test('keeps carriage returns, but does not let them hide the end of a line', async () => {
    expect(await ended('yes\r\nno\r\n').read('s$')).toMatchObject({ output: 'yes\r\n' })
  })

  test('looks at the rendered line when rendering is asked for', async () => {
    const { read } = ended('\x1b[31mERROR\x1b[0m: x\n10%\r100%\n')

    expect(await read('^ERROR: x$', { normalizeOutput: true })).toMatchObject({ output: 'ERROR: x\n' })
    expect(await read('^100%$', { normalizeOutput: true })).toMatchObject({ output: '100%\n' })
    expect(await read('^ERROR')).toMatchObject({ output: '' })
  })

  test('begins at the offset', async () => {
    const { read } = ended('x1\nx2\nx3\n')

    expect(await read('x', { offset: 3 })).toMatchObject({ output: 'x2\nx3\n', nextOffset: 9 })
  })

  test('tells NULs and what is not UTF-8', async () => {
    const { read } = ended(Buffer.from([0x61, 0xff, 0x0a, 0x61, 0, 0x0a]))

    expect(await read('a')).toMatchObject({ output: 'a\uFFFD\na␀\n', binary: true })
  })

  test('gives the first and the last of many matching lines', async () => {
    const numbers = Array.from({ length: 50_000 }, (_, i) => i)
    const matching = numbers.map((i) => `match ${i}\n`).join('')

    const { read } = ended(numbers.map((i) => `match ${i}\nother ${i}\n`).join(''))

    expect(await read('^match', { maxChars: 40 })).toMatchObject({
      output: `match 0\nmatch 1\nmatc\n\n[output truncated: first 20 and last 20 of ${matching.length} characters]\n\nh 49998\nmatch 49999\n`,
      truncated: true,
    })
  })

  test('finds the same however the chunks fall', async () => {
    for (const length of [65_535, 131_071, 131_072, 131_073, 262_144]) {
      const first = 'é'.repeat(20_000)
      const filler = 'y'.repeat(length - Buffer.byteLength(first) - 1)
      const { read } = ended(`${first}\n${filler}\nneedle é\nend`)

      expect(await read('needle')).toMatchObject({ output: 'needle é\n', binary: false })
    }
  })

  test('refuses what is no regular expression, before it looks for the job', async () => {
    const store = new JobStore({ directory: jobsDirectory() })

    await expect(store.read('bash_zzzzzz', { filter: '(' })).rejects.toMatchObject({
      code: 'ERR_INVALID_FILTER',
    })
  })
})

describe('a very long line', () => {
  test('is judged by its first 65,536 characters, and cut there', async () => {
    for (const character of ['a', 'é', '日', '😀']) {
      const long = character.repeat(300_000)
      const { read } = ended(`x${long}\nxshort\n`)

      const { output, truncated, binary } = await read('^x', { maxChars: 200_000 })

      expect({ truncated, binary }).toEqual({ truncated: true, binary: false })
      expect(output.endsWith('\nxshort\n')).toBe(true)
      expect(output.indexOf('\n')).toBeGreaterThanOrEqual(65_535)
      expect(output.indexOf('\n')).toBeLessThanOrEqual(65_536)
      expect(output).not.toContain('\uFFFD')
    }
  })

  test('does not hide the lines after it, nor is its rest a line', async () => {
    const { read } = ended(`${'a'.repeat(500_000)}needle\nneedle 2\n`)

    expect(await read('needle')).toMatchObject({ output: 'needle 2\n' })
  })

  test('of 1 GiB is not held', async () => {
    const { read, paths } = ended('needle at the start ')
    const file = openSync(paths.output, 'r+')
    ftruncateSync(file, 1024 ** 3)
    writeSync(file, '\nneedle at the end\n', 1024 ** 3 - 19)
    closeSync(file)
    const before = process.memoryUsage().rss

    const { output } = await read('needle at the end$', { filterTimeoutMs: 600_000 })

    expect(output).toBe('needle at the end\n')
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
  })
})

describe('a filtered read of a running job', () => {
  test('looks at the unfinished line, and again when it is complete', async () => {
    const { read, paths } = await running('done\nPassw')

    const first = await read('Pass|done')
    expect(first).toMatchObject({ output: 'done\nPassw', nextOffset: 5 })
    appendFileSync(paths.output, 'ord:\nmore')
    expect(await read('word', { offset: first.nextOffset })).toMatchObject({
      output: 'Password:\n',
      nextOffset: 15,
    })
  })

  test('never shows a character cut in two', async () => {
    const { read, paths } = await running('')
    const bytes = Buffer.from('é日😀 end\n'.repeat(5))
    for (let at = 0; at < bytes.length; at++) {
      appendFileSync(paths.output, bytes.subarray(at, at + 1))
      expect((await read('.')).output).not.toContain('\uFFFD')
    }
  })

  test('goes on beyond an endless line', async () => {
    const { read } = await running('é'.repeat(200_000))

    expect(await read('zzz')).toMatchObject({ output: '', nextOffset: 400_000 })
  })
})

describe('maxBytes', () => {
  test.each([4, 5, 7, 12, 1000])(
    '%d gives all matching lines in pages, whole where they fit',
    async (maxBytes) => {
      const output = 'aé\nb日b\nc😀\n'.repeat(20)
      const { read } = ended(output)

      let seen = ''
      for (let offset = 0; ; ) {
        const page = await read('', { offset, maxBytes })
        if (page.nextOffset === offset) break
        seen += page.output
        offset = page.nextOffset
      }
      expect(seen).toBe(output)
    },
  )
})

describe('the event loop', () => {
  /** Counts the turns of the event loop while a promise is pending. */
  const turnsDuring = async <T>(pending: Promise<T>): Promise<{ value: T; turns: number }> => {
    let turns = 0
    let isOver = false
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const value = await pending
    isOver = true
    return { value, turns }
  }

  test('turns while a slow filter is at work', async () => {
    const { read } = ended(`${'ab'.repeat(40)}\n`.repeat(20_000))

    const { value, turns } = await turnsDuring(read('([ab]{0,9}[ab]){9}z?c?$', { filterTimeoutMs: 600_000 }))

    expect(value.unsearchedBytes).toBe(0)
    expect(turns).toBeGreaterThan(10)
  })

  test('survives (a+)+$ on a line of 30,000 characters', async () => {
    const { read } = ended(`${'a'.repeat(30_000)}!\n${'a'.repeat(30_000)}\n`)

    expect((await read('(a+)+$', { maxChars: 100_000 })).output).toBe(`${'a'.repeat(30_000)}\n`)
  })
})

describe('filterTimeoutMs', () => {
  test('ends a search where it is; the next one goes on there', async () => {
    const line = `${'x'.repeat(50)}\n`
    const { read } = ended(`${line.repeat(20_000)}xy\n`)
    const size = 20_000 * 51 + 3
    const filter = '(?:x?){50}[yz]$'

    // The whole takes a second.
    const first = await read(filter, { filterTimeoutMs: 1 })

    expect(first.output).toBe('')
    expect(first.unsearchedBytes).toBeGreaterThan(0)
    expect(first.nextOffset + first.unsearchedBytes).toBe(size)
    expect(first.nextOffset % 51).toBe(0)
    const second = await read(filter, { offset: first.nextOffset, filterTimeoutMs: 600_000 })
    expect(second).toMatchObject({ output: 'xy\n', nextOffset: size, unsearchedBytes: 0 })
  })

  test('is never too short to get on', async () => {
    const { read } = ended('one\ntwo\nthree\n')
    let now = performance.now()
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 1000))
    try {
      const found: string[] = []
      for (let offset = 0; offset < 14; ) {
        const { output, nextOffset } = await read('o', { offset, filterTimeoutMs: 1 })
        found.push(output)
        expect(nextOffset).toBeGreaterThan(offset)
        offset = nextOffset
      }
      expect(found).toEqual(['one\n', 'two\n', ''])
    } finally {
      clock.mockRestore()
    }
  })

  test('is never too short to look at the start of a line that takes longer than that', async () => {
    const { read } = ended(`error ${'x'.repeat(300_000)}\n`)
    let now = performance.now()
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 1000))
    try {
      const { output, nextOffset } = await read('^error', { filterTimeoutMs: 1, maxChars: 1000 })
      expect(output).toMatch(/^error x/)
      expect(nextOffset).toBeGreaterThan(0)
    } finally {
      clock.mockRestore()
    }
  })

  test('is for filters only', async () => {
    expect(await ended('abc').read('b', { filterTimeoutMs: 600_000 })).toMatchObject({ unsearchedBytes: 0 })
  })
})

test('a search that is aborted ends with the reason', async () => {
  const { read } = ended(`${'x'.repeat(50)}\n`.repeat(400_000))
  const controller = new AbortController()
  const reason = new Error('enough')

  const pending = read('(?:x?){50}[yz]$', { signal: controller.signal, filterTimeoutMs: 600_000 })
  setImmediate(() => controller.abort(reason))

  await expect(pending).rejects.toBe(reason)
})
