// The output of a job without the secrets of this process: from any offset, in pages, filtered, and while it grows.
import { appendFileSync, utimesSync } from 'node:fs'
import { withoutSecrets } from '../../../lib/commands/jobs/redaction.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { type JobFiles, stopAll } from './job-files.js'
import { id, jobWith, runningJob } from './readable-job.js'

const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
const mark = '[removed: BASHWARD_TEST_TOKEN]'

beforeAll(() => {
  process.env.BASHWARD_TEST_TOKEN = secret
})
afterAll(() => {
  delete process.env.BASHWARD_TEST_TOKEN
})
afterEach(async () => {
  await stopAll()
  removeTempDirs()
})

const text = `before ${secret} behind\n`

test('it is taken out, and counted', async () => {
  const { read } = jobWith({ output: text, exit: {} })

  expect(await read()).toMatchObject({
    output: `before ${mark} behind\n`,
    redacted: { BASHWARD_TEST_TOKEN: 1 },
    outputBytes: text.length,
    nextOffset: text.length,
  })
})

test('the reader can ask for it as it is', async () => {
  const { read } = jobWith({ output: text, exit: {} })

  expect((await read({ redact: false })).output).toBe(text)
  expect((await read({ redact: { env: { allow: ['BASHWARD_TEST_TOKEN'] } } })).output).toBe(text)
  await expect(read({ redact: { env: { allow: 5 as never } } })).rejects.toMatchObject({
    message: expect.stringContaining('options.redact.env.allow'),
  })
})

test('from no offset is a piece of it seen', async () => {
  const { read } = jobWith({ output: text, exit: {} })
  for (let offset = 0; offset <= text.length; offset++) {
    const { output, nextOffset } = await read({ offset })
    const isInside = offset > 7 && offset < 7 + secret.length

    expect(output).toBe(isInside ? `${mark} behind\n` : text.slice(offset).replace(secret, mark))
    expect(nextOffset).toBe(text.length)
  }
})

test.each([4, 7, 16, 50])('nor in pages of %d bytes', async (maxBytes) => {
  const { read } = jobWith({ output: text, exit: {} })
  let shown = ''
  for (let offset = 0; offset < text.length; ) {
    const page = await read({ offset, maxBytes })
    shown += page.output
    offset = page.nextOffset
  }

  expect(shown.replaceAll(mark, '')).toBe('before  behind\n')
})

test('nor while it grows', async () => {
  const { read, paths } = await runningJob()
  let shown = ''
  let offset = 0
  for (const piece of text) {
    appendFileSync(paths.output, piece)
    const page = await read({ offset })
    shown += page.output
    offset = page.nextOffset
  }

  // So few bytes tell nothing; on a slow machine a second may have passed.
  expect(shown).toMatch(/^before ghp(?:_\d{0,3})?\[removed: BASHWARD_TEST_TOKEN\] behind\n$/)
})

test('what may be the beginning of one is held back, and the result says how much', async () => {
  const { read, paths } = await runningJob()
  appendFileSync(paths.output, `before ${secret.slice(0, 9)}`)
  const { output, nextOffset, heldBytes } = await read()

  expect({ output, nextOffset, heldBytes }).toEqual({ output: 'before ', nextOffset: 7, heldBytes: 9 })

  appendFileSync(paths.output, ' behind')
  const next = await read({ offset: 7 })
  expect(next.output).toBe(`${secret.slice(0, 9)} behind`)
  expect(next).not.toHaveProperty('heldBytes')
})

test.each(['normal', '^'])('a short one is held back for a second at most (filter: %s)', async (filter) => {
  const { read, paths } = await runningJob()
  const options = filter === '^' ? { filter } : {}
  appendFileSync(paths.output, `before ${secret.slice(0, 7)}`)
  const now = Date.now() / 1000
  utimesSync(paths.output, now, now + 60)
  expect((await read(options)).output).toBe(`before ${secret.slice(0, 7)}`)
  utimesSync(paths.output, now, now - 2)
  expect((await read(options)).output).toBe(`before ${secret.slice(0, 7)}`)

  appendFileSync(paths.output, `${secret.slice(7)} behind`)
  expect((await read({ ...options, offset: 14 })).output).toBe(`${mark} behind`)
})

test('what is no beginning of one is shown at once, whatever is looked for', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `BASHWARD_TEST_URL_${index}_PASSWORD`)
  for (const [index, name] of names.entries()) {
    process.env[name] = `postgres://app:${(index * 7919 + 10 ** 9).toString(36)}x@localhost:5${index}/db`
  }
  try {
    const { read, paths } = await runningJob()
    let line = ''
    for (const byte of 'Local: http://localhost:5173/ ready in 317 ms\n') {
      line += byte
      appendFileSync(paths.output, byte)
      const { output, heldBytes = 0 } = await read()
      // Of a URL's scheme and the like a few bytes are held back for a moment.
      const held = line.slice(output.length)
      expect(heldBytes).toBe(held.length)
      expect(held).toMatch(/^$|^(?:post|local|app:)/)
    }
  } finally {
    for (const name of names) delete process.env[name]
  }
})

test('a reader of a few bytes gets none of a beginning', async () => {
  const { read, paths } = await runningJob(`see ${secret.slice(0, 12)}`)
  const held = await read({ offset: 4, maxBytes: 6 })
  expect(held).toMatchObject({ output: '', nextOffset: 4, heldBytes: 6 })
  expect(held).not.toHaveProperty('redacted')

  appendFileSync(paths.output, ' behind')
  expect((await read({ offset: 4, maxBytes: 6 })).output).toBe(secret.slice(0, 6))
})

test('what stands before a beginning is no token because something is held behind it', async () => {
  const { store } = await runningJob(`npm_config__auth=${secret.slice(0, 12)}`)

  expect(await store.read(id, { redact: { tokens: true } })).toMatchObject({
    output: 'npm_config__auth=',
    heldBytes: 12,
  })
})

test('a value is told once, also where another one may begin with its end', async () => {
  process.env.BASHWARD_TEST_SECRET = `${secret.slice(-9)}0987lkjhPOIU1234`
  try {
    const { read, paths } = await runningJob(`v=${secret}`)
    const first = await read()
    appendFileSync(paths.output, ' behind')
    const next = await read({ offset: first.nextOffset })
    expect(first.output + next.output).toBe(`v=${mark} behind`)
  } finally {
    delete process.env.BASHWARD_TEST_SECRET
  }
})

test.each(['http://localhost:5173', 'Continue with installation?'])(
  'nor a word that begins no token, where tokens are looked for: %s',
  async (text) => {
    const { store, paths } = await runningJob(text)
    utimesSync(paths.output, 1, 1)
    const redact = { tokens: true }

    expect(await store.read(id, { redact })).toMatchObject({ output: text })
    expect(
      await store.wait(id, { until: text.slice(-6).replace('?', ''), timeoutMs: 0, redact }),
    ).toMatchObject({
      matched: text,
    })
  },
)

test('nor at the ends of a long output', async () => {
  const filler = `${'x'.repeat(99)}\n`.repeat(20_000)
  const around = 256 * 1024 - 20
  const { read } = jobWith({
    output: `${filler.slice(0, around)}${secret}${filler}${secret}${filler.slice(0, around)}`,
    exit: {},
  })
  const { output } = await read({ maxChars: 512 * 1024 })

  expect(output).not.toContain(secret.slice(0, 8))
  expect(output).not.toContain(secret.slice(-8))
})

describe('a filter', () => {
  test('sees what is left', async () => {
    const { read } = jobWith({ output: `one\n${text}two\n`, exit: {} })

    expect((await read({ filter: 'ghp_' })).output).toBe('')
    expect((await read({ filter: 'removed' })).output).toBe(`before ${mark} behind\n`)
  })

  test('finds the lines that it finds without, wherever the file is cut', async () => {
    const line = `${'y'.repeat(200)} ${secret}\n`
    const { read } = jobWith({ output: line.repeat(4000), exit: {} })
    const { output, nextOffset } = await read({ filter: 'y', maxChars: 10_000_000 })

    expect(output).toBe(line.replace(secret, mark).repeat(4000))
    expect(nextOffset).toBe(4000 * line.length)
  })

  test('shows no beginning of one in the line that is still being printed', async () => {
    const { read } = await runningJob(`one\ntwo ${secret.slice(0, 20)}`)
    const found = await read({ filter: '.' })

    expect(found).toMatchObject({ output: 'one\ntwo ', nextOffset: 4, heldBytes: 20 })
    expect(found).not.toHaveProperty('redacted')
  })
})

test('neither do the last lines have it, nor a line that was waited for', async () => {
  const { read, store } = jobWith({ output: `one\n${text}`, exit: {} })

  expect((await read({ tailLines: 1 })).output).toBe(`before ${mark} behind\n`)
  expect(await store.wait(id, { until: 'before', timeoutMs: 0 })).toMatchObject({
    matched: `before ${mark} behind`,
  })
  expect((await store.wait(id, { until: 'ghp_', timeoutMs: 0 })).matched).toBeUndefined()
})

describe('of a job that was in the middle of one', () => {
  const output = `one\ntwo ${secret.slice(0, 20)}`
  const killed = { status: 'killed', exitCode: null, signal: 'SIGTERM' } as const

  test.each<[string, JobFiles]>([
    ['when it was killed', { exit: killed, statusLine: '\n\n[background process killed: SIGTERM]' }],
    ['when its time was up', { exit: { ...killed, status: 'timed_out' } }],
    ['when the disk was full', { exit: { lostBytes: 20 } }],
    ['when its supervisor was killed', {}],
  ])('the beginning is not seen: %s', async (_, files) => {
    const { read, store } = jobWith({ output, ...files })

    expect(await read()).toMatchObject({ output: `one\ntwo ${mark}`, nextOffset: output.length })
    expect((await read({ filter: 'two' })).output).toBe(`two ${mark}`)
    expect((await read({ tailLines: 1 })).output).toBe(`two ${mark}`)
    expect((await store.wait(id, { until: 'ghp_', timeoutMs: 0 })).matched).toBeUndefined()
  })

  test('what it has printed itself to its end is', async () => {
    const { read } = jobWith({ output, exit: {} })

    expect((await read()).output).toBe(output)
  })

  test.each(['dropped', 'could not be written'])(
    'nothing is seen of it where the file says: bytes %s',
    async (how) => {
      const gap = `\n\n[5 bytes ${how}]\n\n`
      const { read } = jobWith({
        output: `a ${secret.slice(0, 20)}${gap}${secret.slice(25)} b\n${gap}c`,
        exit: {},
      })

      expect((await read()).output).toBe(`a ${mark}${gap}${mark} b\n${gap}c`)
      expect((await read({ offset: 22, filter: '.' })).output).toBe(
        `[5 bytes ${how}]\n${mark} b\n[5 bytes ${how}]\nc`,
      )
    },
  )

  test('its end is not seen where a foreground command has printed its beginning', async () => {
    const { read } = jobWith({ output: `${secret.slice(20)} two\n`, exit: {}, adopted: true })

    expect((await read()).output).toBe(`${mark} two\n`)
  })
})

test('what is asked for as it is has its refusals as they are, too', () => {
  const events = {
    denials: [{ operation: 1, target: `/srv/${secret}` }],
    denialsDropped: 0,
    changed: [],
    changedDropped: 0,
    brokerEnded: false,
  }

  expect(withoutSecrets(events, 'byDefault').denials[0]?.target).toBe(`/srv/${mark}`)
  expect(withoutSecrets(events, undefined)).toBe(events)
})
