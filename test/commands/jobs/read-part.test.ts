// Reading a part of the output: from an offset, page by page.
import { appendFileSync } from 'node:fs'
import type { ReadJobOptions } from '../../../lib/commands/jobs/read.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { stopAll } from './job-files.js'
import { jobWith, runningJob } from './readable-job.js'

afterEach(async () => {
  await stopAll()
  removeTempDirs()
})

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
    const { read, paths } = await runningJob()
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
    const { read, paths } = await runningJob()
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
