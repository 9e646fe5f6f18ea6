// The end of a job whose files are gone: its last lines come from the record of the end.
import { endedJob } from '../../../../lib/commands/jobs/watch/end-event.js'
import { removeTempDirs } from '../../../support/temp-dir.js'
import { jobsDirectory, writeJob } from '../job-files.js'
import { type EndFile, writeEnd } from './watch-files.js'

const id = 'bash_aaaaaa'
const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
const mark = '[removed: BASHWARD_TEST_TOKEN]'

beforeAll(() => {
  process.env.BASHWARD_TEST_TOKEN = secret
})
afterAll(() => {
  delete process.env.BASHWARD_TEST_TOKEN
})
afterEach(removeTempDirs)

const linesOf = async (files: EndFile) => {
  const root = jobsDirectory()
  writeEnd(root, id, files)
  return (await endedJob(root, id, true))?.lines
}

test('of more lines than fit, the first is left out', async () => {
  expect(await linesOf({ tail: `${secret.slice(9)} x\none\ntwo\n`, tailIsCut: true })).toEqual(['one', 'two'])
})

test('a secret is taken out', async () => {
  expect(await linesOf({ tail: `one ${secret}\n` })).toEqual([`one ${mark}`])
})

test('so is the beginning of one, where the job was killed in the middle of it', async () => {
  const tail = `one ${secret.slice(0, 20)}`

  expect(await linesOf({ tail })).toEqual([tail])
  for (const status of ['killed', 'timed_out'] as const) {
    expect(await linesOf({ tail, exit: { status, exitCode: null, signal: 'SIGTERM' } })).toEqual([
      `one ${mark}`,
    ])
  }
})

test('and where the disk was full in the middle of it', async () => {
  expect(await linesOf({ tail: `one ${secret.slice(0, 20)}`, exit: { lostBytes: 20 } })).toEqual([
    `one ${mark}`,
  ])
})

test('so is the end of one whose beginning a foreground command may have printed', async () => {
  expect(await linesOf({ tail: `${secret.slice(20)} two\n` })).toEqual([`${mark} two`])
})

const wide = (text: string) => Buffer.from(text, 'utf16le')
const mark16 = Buffer.from('fffe', 'hex')
const numbers = Array.from({ length: 1000 }, (_, at) => `${at}`)
const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  Buffer.alloc(3000, 'a\0b\x01\xff\xfe\n', 'latin1'),
])

describe('of output that is no text', () => {
  const note = '[output is not text: it is UTF-16, decoded here]'

  test('UTF-16 is decoded, without secrets', async () => {
    const tail = Buffer.concat([mark16, wide(`one\n${secret} two\n`)])
    expect(await linesOf({ tail })).toEqual(['one', `${mark} two`, note])
  })

  test('of UTF-16 that has no beginning only what it is stands there', async () => {
    expect(await linesOf({ tail: wide('some line\nanother line\n'), tailIsCut: true })).toEqual([
      expect.stringContaining('it looks like UTF-16LE: | iconv'),
    ])
    expect(await linesOf({ tail: wide(`line\n${secret}\n`), tailIsCut: true })).toEqual([
      expect.stringContaining('it looks like UTF-16LE with withheld values, and is not shown'),
    ])
  })

  test('an image is not shown, and the error behind it is', async () => {
    const lines = await linesOf({ tail: Buffer.concat([png, Buffer.from('curl: (18)\n')]) })
    expect(lines?.slice(-2)).toEqual(['curl: (18)', expect.stringContaining('KB, a PNG image; of it')])
    expect(lines).toHaveLength(6)
  })

  test('another encoding is named below the lines', async () => {
    expect(await linesOf({ tail: Buffer.from('Gr\xf6\xdfe, Stra\xdfen\n', 'latin1') })).toEqual([
      'Gr\ufffd\ufffde, Stra\ufffden',
      expect.stringContaining('it looks like ISO-8859-1'),
    ])
  })

  test('the same of a job whose files are there', async () => {
    const ended = async (output: Buffer) => {
      const root = jobsDirectory()
      writeJob(root, id, { output, exit: { outputBytes: output.length } })
      return (await endedJob(root, id, true))?.lines
    }
    const text = `${numbers.join('\n')}\n${secret}\n`
    expect(await ended(Buffer.concat([mark16, wide(text)]))).toEqual([...numbers.slice(-9), mark, note])
    const lines = await ended(Buffer.concat([png, Buffer.from('curl: (18)\n')]))
    expect(lines?.slice(-2)).toEqual(['curl: (18)', expect.stringContaining('KB, a PNG image; of it')])
  })
})
