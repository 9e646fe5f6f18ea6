// BashOutput that waits: for the end, or for a line; and the last lines.

import { createBashOutputTool } from '../../../lib/tools/suite/bash-output.js'
import { endJobs } from '../../support/jobs.js'
import { LateStore, lateCommand } from '../../support/late-store.js'
import { killLeftovers, uniqueSleep } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { context, suiteCalls } from './suite-calls.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

describe('wait_ms', () => {
  test('gives a command that ends meanwhile with its end', async () => {
    const { start, bashOutput } = suiteCalls()
    const id = await start('sleep 0.3; echo done; exit 7')
    const { text, result } = await bashOutput({ bash_id: id, wait_ms: 60_000 })

    expect(text).toBe('[failed: exit code 7]\ndone\n')
    expect(result).toMatchObject({ status: 'failed', exitCode: 7, waitedMs: expect.any(Number) })
  })

  test('gives one that goes on as it is then, and says so', async () => {
    const { start, bashOutput } = suiteCalls()
    const id = await start(`sleep ${uniqueSleep()}`)

    expect((await bashOutput({ bash_id: id, wait_ms: 100 })).text).toMatch(
      /^\[running\]\n\[waited \d+\.\ds: it has not ended\]$/,
    )
  })

  test('is no longer than the tool may wait', async () => {
    const { start, store } = suiteCalls()
    const id = await start(`sleep ${uniqueSleep()}`)
    const tool = createBashOutputTool(() => store, { longestWaitMs: 50 })
    const result = await tool.execute({ bash_id: id, wait_ms: 60_000 }, context)

    expect(result).toMatchObject({ status: 'running', waitedMs: expect.any(Number) })
    expect(result.waitedMs).toBeLessThan(30_000)
  })

  test('ends when the call is cancelled, and the command goes on', async () => {
    const { suite, start, store } = suiteCalls()
    const id = await start(`sleep ${uniqueSleep()}`)
    const controller = new AbortController()
    const reading = suite.bashOutput.execute(
      { bash_id: id, wait_ms: 60_000 },
      { ...context, cancel: controller.signal },
    )
    controller.abort()

    const result = await reading
    expect(result).toMatchObject({ status: 'error', error: { code: 'ERR_CANCELLED' } })
    expect(suite.bashOutput.toText(result)).toBe('[call cancelled]')
    expect((await store.get(id)).status).toBe('running')
  })
})

describe('until', () => {
  test('names a line that was printed after the wait, of a command that has ended by now', async () => {
    const { command, fifo } = lateCommand(tempDir(), 'echo one', 'echo two')
    const { start, store } = suiteCalls()
    const id = await start(command)
    const tool = createBashOutputTool(() => new LateStore(store.directory, fifo))
    const result = await tool.execute({ bash_id: id, until: 'two', wait_ms: 100 }, context)

    expect(result).toMatchObject({ status: 'completed', output: 'one\ntwo\n', matched: 'two' })
  })

  test('gives the output as soon as a line matches', async () => {
    const { start, bashOutput } = suiteCalls()
    const id = await start(`echo one; sleep 0.3; echo 'ready: 80'; exec sleep ${uniqueSleep()}`)
    const { text, result } = await bashOutput({ bash_id: id, until: 'ready', wait_ms: 60_000 })

    expect(text).toBe(
      '[running]\none\nready: 80\n[until has matched: ready: 80]\n[to read what follows: offset 14]',
    )
    expect(result).toMatchObject({ status: 'running', matched: 'ready: 80' })
  })

  test('needs no wait_ms', async () => {
    const { start, bashOutput } = suiteCalls()
    const id = await start(`sleep 0.3; echo ready; exec sleep ${uniqueSleep()}`)

    expect((await bashOutput({ bash_id: id, until: 'ready' })).result).toMatchObject({ matched: 'ready' })
  })

  test('looks at what is there without waiting when wait_ms is 0', async () => {
    const { start, bashOutput, outputWith } = suiteCalls()
    const id = await start(`echo one; exec sleep ${uniqueSleep()}`)
    await outputWith(id, 'one')

    expect((await bashOutput({ bash_id: id, until: 'one', wait_ms: 0 })).result.matched).toBe('one')
    expect((await bashOutput({ bash_id: id, until: 'two', wait_ms: 0 })).result.matched).toBeNull()
  })

  test('that nothing matches is told, of what goes on and of what has ended', async () => {
    const { start, bashOutput } = suiteCalls()
    const running = await start(`exec sleep ${uniqueSleep()}`)
    const ended = await start('echo done')

    expect((await bashOutput({ bash_id: running, until: 'ready', wait_ms: 50 })).text).toMatch(
      /^\[running\]\n\[waited \d+\.\ds: no line has matched until\]$/,
    )
    expect((await bashOutput({ bash_id: ended, until: 'ready', wait_ms: 60_000 })).text).toBe(
      '[completed]\ndone\n[no line has matched until]',
    )
  })

  test('leaves filter and offset what they are', async () => {
    const { start, bashOutput } = suiteCalls()
    const id = await start(`echo one; echo two; echo ready; exec sleep ${uniqueSleep()}`)
    const input = { bash_id: id, until: 'ready', filter: 'two', offset: 4 }

    expect((await bashOutput(input)).result).toMatchObject({ output: 'two\n', matched: 'ready' })
  })

  test('that is no pattern is an error that names it, before any wait', async () => {
    const { start, bashOutput } = suiteCalls()
    const id = await start(`exec sleep ${uniqueSleep()}`)

    expect((await bashOutput({ bash_id: id, until: '(' })).text).toMatch(
      /^until: .* \(got "\("; allowed: RE2/,
    )
    expect((await bashOutput({ bash_id: id, until: 'a', filter: '(', wait_ms: 60_000 })).text).toMatch(
      /^filter: /,
    )
  })
})

describe('tail_lines', () => {
  test('gives the last lines, and the offset that follows them', async () => {
    const { start, outputWith, bashOutput } = suiteCalls()
    const id = await start(`seq 100; exec sleep ${uniqueSleep()}`)
    await outputWith(id, '100\n')

    expect((await bashOutput({ bash_id: id, tail_lines: 2 })).text).toBe(
      '[running]\n99\n100\n[to read what follows: offset 292]',
    )
  })
})
