// Cancelling a run: before it starts, while it runs, and after its end.
import { getEventListeners } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../lib/index.js'
import { killLeftovers, processesWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterEach(killLeftovers)
afterAll(removeTempDirs)

describe('a signal that is aborted already', () => {
  test('the command does not run', async () => {
    const file = join(tempDir(), 'file')
    const result = await run(`touch '${file}'`, { cwd: '/', cancelSignal: AbortSignal.abort() })

    expect(result).toEqual({
      status: 'cancelled',
      command: `touch '${file}'`,
      display: `touch '${file}'`,
      output: '',
      outputBytes: 0,
      exitCode: null,
      signal: null,
      durationMs: expect.any(Number),
      truncated: false,
      binary: false,
      sandbox: 'unrestricted',
      enforced: [],
      survivors: [],
      usage: null,
      removedEnv: expect.any(Array),
    })
    expect(existsSync(file)).toBe(false)
  })

  test('not even a missing working directory is noticed', async () => {
    expect(await run('true', { cwd: '/nonexistent', cancelSignal: AbortSignal.abort() })).toMatchObject({
      status: 'cancelled',
    })
  })
})

describe('a signal that is aborted while the command runs', () => {
  test('the command is killed, and what it printed is given', async () => {
    const marker = uniqueSleep()
    const controller = new AbortController()
    const running = run(`echo on; sleep ${marker}; echo never`, {
      cwd: '/',
      cancelSignal: controller.signal,
      onOutput: () => controller.abort(),
    })

    expect(await running).toMatchObject({
      status: 'cancelled',
      output: 'on\n',
      exitCode: null,
      signal: 'SIGTERM',
      usage: { maxRssBytes: expect.any(Number) },
    })
    expect(processesWith(marker)).toEqual([])
  })

  test('a cancel in the same tick as the call leaves nothing', async () => {
    const marker = uniqueSleep()
    const controller = new AbortController()
    const running = run(`sleep ${marker}`, { cwd: '/', cancelSignal: controller.signal })
    controller.abort()

    expect(await running).toMatchObject({ status: 'cancelled' })
    expect(processesWith(marker)).toEqual([])
  })

  test('one signal cancels many commands, and no other', async () => {
    const [cancelled, others] = [uniqueSleep(), uniqueSleep()]
    const [first, second] = [new AbortController(), new AbortController()]
    const start = (marker: string, { signal }: AbortController) =>
      Promise.all(Array.from({ length: 5 }, () => run(`sleep ${marker}`, { cwd: '/', cancelSignal: signal })))
    const [ofFirst, ofSecond] = [start(cancelled, first), start(others, second)]
    await Promise.all([waitForSleep(cancelled, 5), waitForSleep(others, 5)])

    first.abort()
    expect((await ofFirst).map(({ status }) => status)).toEqual(Array(5).fill('cancelled'))
    expect(await waitForSleep(others, 5)).toHaveLength(5)
    second.abort()
    expect((await ofSecond).map(({ status }) => status)).toEqual(Array(5).fill('cancelled'))
  })

  test('a timeout signal of the platform is a cancel', async () => {
    const result = await run('sleep 30', { cwd: '/', cancelSignal: AbortSignal.timeout(100) })

    expect(result).toMatchObject({ status: 'cancelled' })
    expect(result).not.toHaveProperty('timeoutMs')
  })

  test('the grace is obeyed', async () => {
    const controller = new AbortController()
    const result = await run("trap 'exit 9' TERM; echo on; while :; do sleep 0.01; done", {
      cwd: '/',
      termGraceMs: 10_000,
      cancelSignal: controller.signal,
      onOutput: () => controller.abort(),
    })

    expect(result).toMatchObject({ status: 'cancelled', exitCode: 9 })
  })
})

describe('a signal that is aborted after the end', () => {
  test('does not change the result, and does not harm later commands', async () => {
    const controller = new AbortController()
    const result = await run('echo done', { cwd: '/', cancelSignal: controller.signal })
    controller.abort()

    expect(result).toMatchObject({ status: 'completed', output: 'done\n' })
    expect(await run('echo next', { cwd: '/' })).toMatchObject({ status: 'completed', output: 'next\n' })
  })
})

describe('a signal that is never aborted', () => {
  test.each([
    ['success', 'true', {}],
    ['failure', 'exit 3', {}],
    ['a timeout', 'sleep 30', { timeout: 100 }],
    ['an error', 'true', { shellPath: '/nonexistent/bash' }],
  ])('%s leaves no listener on it', async (_, command, options) => {
    const { signal } = new AbortController()
    await run(command, { cwd: '/', cancelSignal: signal, ...options }).catch(() => {})

    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
