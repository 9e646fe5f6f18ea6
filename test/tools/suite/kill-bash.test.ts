import { createBashSuite, JobStore } from '../../../lib/index.js'
import { jobsDirectory, startSleep, stopAll, writeJob } from '../../commands/jobs/job-files.js'
import { endJobs, waitForStatusLine } from '../../support/jobs.js'
import { isAlive, killLeftovers, processesWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { context, suiteCalls } from './suite-calls.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterEach(stopAll)
afterAll(removeTempDirs)

describe('a running command (REQ-SUITE-006)', () => {
  test('is killed, and what it printed stays', async () => {
    const marker = uniqueSleep()
    const { start, outputWith, killBash, bashOutput } = suiteCalls()
    const id = await start(`echo on; sleep ${marker}; echo never`)
    await outputWith(id, 'on\n')

    expect(await killBash({ bash_id: id })).toEqual({ text: '[killed]', result: { status: 'killed' } })
    expect(processesWith(marker)).toEqual([])
    expect(await bashOutput({ bash_id: id })).toMatchObject({
      text: '[killed: SIGTERM]\non\n',
      result: { status: 'killed', exitCode: null, signal: 'SIGTERM' },
    })
  })

  test.each([
    ['its children', 'sleep {} & sleep {} & wait', 2],
    ['a daemon', 'setsid -f sleep {}; sleep {}', 2],
    ['a job of its own process group', 'set -m; sleep {} & sleep {} & wait', 2],
    ['a child that outlived its parent', '(sleep {} &); sleep {}', 2],
    ['one whose first process has ended', 'sleep {} & exit 0', 1],
  ])('%s ends as well (REQ-SUITE-006)', async (_, template, sleeps) => {
    const marker = uniqueSleep()
    const { start, killBash } = suiteCalls()
    const id = await start(template.replaceAll('{}', marker))
    await waitForSleep(marker, sleeps)

    expect((await killBash({ bash_id: id })).text).toBe('[killed]')
    expect(processesWith(marker)).toEqual([])
  })

  test('has a status line in its file', async () => {
    const { start, store, killBash } = suiteCalls()
    const marker = uniqueSleep()
    // Without a bash, which may say that sleep was terminated before it is terminated itself.
    const id = await start(`exec sleep ${marker}`)
    const { outputFile } = await store.get(id)
    await waitForSleep(marker)
    await killBash({ bash_id: id })

    expect(await waitForStatusLine(outputFile)).toBe('\n\n[background process killed: SIGTERM]')
  })

  test('other commands go on', async () => {
    const { start, killBash, bashOutput } = suiteCalls()
    const [id, other] = [await start(`sleep ${uniqueSleep()}`), await start(`sleep ${uniqueSleep()}`)]
    await killBash({ bash_id: id })

    expect((await bashOutput({ bash_id: other })).text).toBe('[running]')
  })

  test('that a foreground command has left behind is killed by its id', async () => {
    const marker = uniqueSleep()
    const { bash, killBash } = suiteCalls()
    const { result } = await bash({ command: `sleep ${marker} & echo started` })

    expect((await killBash({ bash_id: result.jobId })).text).toBe('[killed]')
    expect(processesWith(marker)).toEqual([])
  })
})

describe('a command that does not run any more', () => {
  test('was killed before: twice is once', async () => {
    const { start, killBash } = suiteCalls()
    const id = await start(`sleep ${uniqueSleep()}`)
    await killBash({ bash_id: id })

    expect(await killBash({ bash_id: id })).toEqual({
      text: `[not running: ${id} is not running: killed]`,
      result: {
        status: 'not_running',
        error: { code: 'ERR_JOB_NOT_RUNNING', message: `${id} is not running: killed` },
      },
    })
  })

  test('two kills at once agree', async () => {
    const { start, killBash } = suiteCalls()
    const id = await start(`sleep ${uniqueSleep()}`)
    const killed = await Promise.all([killBash({ bash_id: id }), killBash({ bash_id: id })])

    expect(killed.map(({ text }) => text)).toEqual(['[killed]', '[killed]'])
  })

  test.each([
    ['completed', 'true', 'completed'],
    ['failed', 'exit 7', 'failed, exit code 7'],
  ])('has %s', async (_, command, shown) => {
    const { start, ended, killBash } = suiteCalls()
    const id = await start(command)
    await ended(id)

    expect((await killBash({ bash_id: id })).text).toBe(`[not running: ${id} is not running: ${shown}]`)
  })

  test('is lost', async () => {
    const directory = jobsDirectory()
    writeJob(directory, 'bash_aaaaaa')
    const { killBash } = suiteCalls({ jobs: new JobStore({ directory }) })

    expect((await killBash({ bash_id: 'bash_aaaaaa' })).result).toMatchObject({ status: 'not_running' })
  })
})

describe('an id that is unknown (REQ-SUITE-006)', () => {
  test('names those that run', async () => {
    const { start, killBash } = suiteCalls()
    const id = await start(`sleep ${uniqueSleep()}`)

    expect(await killBash({ bash_id: 'bash_zzzzzz' })).toEqual({
      text: `No background command with id bash_zzzzzz (running: ${id})`,
      result: { status: 'error', error: { code: 'ERR_JOB_NOT_FOUND', message: expect.any(String) } },
    })
  })

  test.each(['1', '', '0', '-1', '../..'])('%j kills nothing', async (id) => {
    const { start, killBash, bashOutput } = suiteCalls()
    const running = await start(`sleep ${uniqueSleep()}`)
    const { result } = await killBash({ bash_id: id })

    expect(result).toMatchObject({ status: 'error', error: { code: 'ERR_JOB_NOT_FOUND' } })
    expect((await bashOutput({ bash_id: running })).text).toBe('[running]')
  })
})

describe('in Restricted mode', () => {
  const restricted = { ...context, sandbox: 'restricted' } as const

  test('a background command of the conversation is killed', async () => {
    const { suite, start } = suiteCalls()
    const marker = uniqueSleep()
    const id = await start(`sleep ${marker}`)
    await waitForSleep(marker)

    expect(await suite.killBash.execute({ bash_id: id }, restricted)).toEqual({ status: 'killed' })
    expect(processesWith(marker)).toEqual([])
  })

  test.each([
    ['another conversation', { conversationId: 'another' }],
    ['a conversation, when the call has none', { conversationId: 'another' }, {}],
    ['another program', {}, {}],
  ])(
    'a background command of %s is left alone',
    async (_, owner, caller = { conversationId: 'this one' }) => {
      const { pid, startTime } = await startSleep()
      const directory = jobsDirectory()
      const leader = { pid: 4_194_303, startTime: 1 }
      writeJob(directory, 'bash_aaaaaa', { ...owner, supervisor: { pid, startTime }, leader })
      const { killBash } = createBashSuite({ jobs: new JobStore({ directory }) })
      const result = await killBash.execute({ bash_id: 'bash_aaaaaa' }, { ...restricted, ...caller })

      expect(killBash.toText(result)).toBe(
        "bash_aaaaaa is not of this conversation: Restricted mode ends no other's background commands",
      )
      expect(result).toMatchObject({ status: 'error', error: { code: 'ERR_JOB_NOT_KILLED' } })
      expect(isAlive(pid)).toBe(true)
    },
  )
})

describe('a call', () => {
  test('has one event, its result, also as a stream', async () => {
    const { suite, start } = suiteCalls()
    const id = await start(`sleep ${uniqueSleep()}`)
    const events: unknown[] = []
    for await (const event of suite.killBash.stream({ bash_id: id }, context)) events.push(event)
    await suite.killBash.execute({ bash_id: id }, { ...context, onEvent: (event) => events.push(event) })

    expect(events).toMatchObject([
      { type: 'result', result: { status: 'killed' } },
      { type: 'result', result: { status: 'not_running' } },
    ])
  })
})
