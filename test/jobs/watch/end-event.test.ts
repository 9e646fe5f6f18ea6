// The end of a job whose files are gone: its last lines come from the record of the end.
import { endedJob } from '../../../lib/jobs/watch/end-event.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { jobsDirectory } from '../job-files.js'
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
