// BashOutput without an id: the background commands of the conversation.
import { type BashOutputResult, createBashSuite } from '../../../lib/index.js'
import { endJobs, tempStore } from '../../support/jobs.js'
import { killLeftovers, uniqueSleep } from '../../support/processes.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { suiteCalls } from './suite-calls.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

const idsOf = ({ jobs = [] }: BashOutputResult) => jobs.map(({ id }) => id)

test('none are told as none', async () => {
  expect(await suiteCalls().bashOutput({})).toMatchObject({
    text: '[no background commands]',
    result: { status: 'listed', jobs: [], output: '' },
  })
})

test('each is told with its state, age, command and last line; those that run come first', async () => {
  const { start, store, bashOutput, outputWith } = suiteCalls()
  const running = await start(`echo one; printf 'two\\n\\n'; exec sleep ${uniqueSleep()}`)
  const failed = await start('exit 7')
  await store.wait(failed)
  await outputWith(running, 'two')
  const { text, result } = await bashOutput({})

  expect(text).toMatch(
    new RegExp(
      `^${running} \\[running for \\d+s\\] echo one; printf .*\\n  last line: two\\n` +
        `${failed} \\[failed: exit code 7, ended \\d+s ago\\] exit 7$`,
    ),
  )
  expect(result.jobs).toMatchObject([
    { id: running, status: 'running', lastLine: 'two', endedAt: null },
    { id: failed, status: 'failed', exitCode: 7, lastLine: '' },
  ])
})

test('a server is told with its port', async () => {
  const { start, bashOutput } = suiteCalls()
  await start(`exec ${process.execPath} -e 'require("net").createServer().listen(0, "127.0.0.1")'`)
  const { text, result } = await waitFor(
    async () => {
      const called = await bashOutput({})
      return called.result.jobs?.[0]?.listening === undefined ? undefined : called
    },
    { what: 'the server to listen', deadlineMs: 20_000 },
  )

  expect(text).toContain(`\n  [listening: 127.0.0.1:${result.jobs?.[0]?.listening?.[0]?.port}]`)
})

test('those of other conversations are not told', async () => {
  const jobs = tempStore()
  const { bash, bashOutput } = createBashSuite({ jobs })
  const contexts = ['a', 'b', undefined].map((conversationId) => ({ workingDir: '/', conversationId }))
  const started: (string | undefined)[] = []
  for (const context of contexts) {
    started.push((await bash.execute({ command: 'true', run_in_background: true }, context)).jobId)
  }

  for (const [index, context] of contexts.entries()) {
    expect(idsOf(await bashOutput.execute({}, context))).toEqual([started[index]])
  }
})

test('of many, twenty are told, and how many more there are', async () => {
  const { start, bashOutput } = suiteCalls()
  for (let i = 0; i < 22; i++) await start('true')
  const { text, result } = await bashOutput({})

  expect(result).toMatchObject({ moreJobs: 2 })
  expect(result.jobs).toHaveLength(20)
  expect(text).toMatch(/\n\[and 2 more\]$/)
})

test('commands and lines are told in one short line each', async () => {
  const { start, bashOutput, ended } = suiteCalls()
  const id = await start(`echo ${'x'.repeat(1000)}\n# ${'y'.repeat(1000)}`)
  await ended(id)
  const { text } = await bashOutput({})

  expect(text.split('\n')).toHaveLength(2)
  expect(text.length).toBeLessThan(600)
})

test('a secret in a command is taken out', async () => {
  process.env.BASHWARD_TEST_TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
  try {
    const { start, bashOutput } = suiteCalls()
    await start(`: ${process.env.BASHWARD_TEST_TOKEN}`)
    const { text, result } = await bashOutput({})

    expect(result.jobs).toMatchObject([{ command: ': [removed: BASHWARD_TEST_TOKEN]' }])
    expect(text).toContain('] : [removed: BASHWARD_TEST_TOKEN]')
  } finally {
    delete process.env.BASHWARD_TEST_TOKEN
  }
})
