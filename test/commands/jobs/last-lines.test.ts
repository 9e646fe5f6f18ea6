// The last lines of an output, of a file and of a text.
import fc from 'fast-check'
import { lastLines } from '../../../lib/commands/jobs/last-lines.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { stopAll } from './job-files.js'
import { jobWith, runningJob } from './readable-job.js'

afterEach(async () => {
  await stopAll()
  removeTempDirs()
})

const exit = { status: 'completed' } as const

test.each<[string, number, string]>([
  ['a\nb\nc\n', 2, 'b\nc\n'],
  ['a\nb\nc', 2, 'b\nc'],
  ['a\nb\nc\n', 3, 'a\nb\nc\n'],
  ['a\nb\nc\n', 4, 'a\nb\nc\n'],
  ['a\n\n\n', 2, '\n\n'],
  ['\n', 1, '\n'],
  ['', 1, ''],
  ['one', 1, 'one'],
])('of %j the last %d are %j', async (text, tailLines, expected) => {
  const { read } = jobWith({ output: text, exit })

  expect(lastLines(text, tailLines)).toBe(expected)
  expect(await read({ tailLines })).toMatchObject({
    output: expected,
    truncated: false,
    nextOffset: text.length,
  })
})

test('of a file they are those of its text, however long it is', async () => {
  const lines = fc.array(fc.constantFrom('', 'a', 'é', 'x'.repeat(300), 'y'.repeat(70_000)), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      async (parts, tailLines, isEnded) => {
        const text = parts.join('\n') + (isEnded ? '\n' : '')
        const { read } = jobWith({ output: text, exit })

        expect((await read({ tailLines, maxChars: 1_000_000 })).output).toBe(lastLines(text, tailLines))
      },
    ),
    { numRuns: 60 },
  )
})

test('an offset behind their beginning counts', async () => {
  const { read } = jobWith({ output: 'a\nb\nc\n', exit })

  expect((await read({ tailLines: 2, offset: 4 })).output).toBe('c\n')
})

test('with a filter they are those of the lines that it picks', async () => {
  const output = Array.from(
    { length: 10_000 },
    (_, index) => `${index % 2 === 0 ? 'even' : 'odd'} ${index}\n`,
  ).join('')
  const { read } = jobWith({ output, exit })

  expect(await read({ tailLines: 2, filter: 'even' })).toMatchObject({
    output: 'even 9996\neven 9998\n',
    truncated: false,
  })
})

test('more of them than may be given are cut like any output', async () => {
  const { read } = jobWith({ output: 'line\n'.repeat(100), exit })

  expect(await read({ tailLines: 50, maxChars: 20 })).toMatchObject({
    truncated: true,
    output: expect.stringContaining('first 10 and last 10 of 250 characters'),
  })
})

test('those of a job that runs have the offset that follows them', async () => {
  const { read } = await runningJob('a\nb\nc')

  expect(await read({ tailLines: 1 })).toMatchObject({ output: 'c', nextOffset: 5 })
})

test.each([0, -1, 1.5, 100_001, '1'])('%j lines are refused', async (tailLines) => {
  const { read } = jobWith({ output: 'a\n', exit })

  await expect(read({ tailLines: tailLines as number })).rejects.toMatchObject({
    code: 'ERR_INVALID_INPUT',
    message: expect.stringContaining('options.tailLines: must be an integer from 1 to 100000 lines'),
  })
})
