// A call with a ledger that is sent again: it does not run, and gives what it gave.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BashResult,
  BashSession,
  createBashSuite,
  createBashTool,
  createExecTool,
} from '../../../lib/index.js'
import { cannotTest } from '../../support/must-work.js'
import { whyNotRestricted } from '../../support/restricted.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { LedgerCalls } from './ledger-call.js'

afterEach(removeTempDirs)

const text = createBashTool().toText

/** Without what says that it is an answer of the ledger. */
const withoutReplayed = ({ replayed: _, ...result }: BashResult) => result

describe('a call that is sent again', () => {
  test.each([
    ['that succeeded', 'echo out'],
    ['that failed', 'echo out; exit 3'],
    ['that a signal ended', 'kill -SEGV $$'],
    ['that printed what is no text', "printf '\\xff\\x00'"],
  ])('%s gives the same result, and runs once', async (_, command) => {
    const calls = new LedgerCalls()
    const first = await calls.send('a', command)
    const second = await calls.send('a', command)

    expect(first.replayed).toBeUndefined()
    expect(second.replayed).toBe(true)
    expect(withoutReplayed(second)).toEqual(JSON.parse(JSON.stringify(first)))
    expect(text(second)).toBe(text(first))
    expect(calls.runs('a')).toBe(1)
  })

  test('after a timeout gives the timeout', async () => {
    const calls = new LedgerCalls({}, { timeouts: { default: 300 } })
    const [first, second] = [await calls.send('a', 'sleep 60'), await calls.send('a', 'sleep 60')]

    expect(first).toMatchObject({ status: 'timed_out', timeoutMs: 300 })
    expect(second).toMatchObject({ status: 'timed_out', timeoutMs: 300, replayed: true })
    expect(calls.runs('a')).toBe(1)
  })

  test('after a cancel gives the cancel', async () => {
    const calls = new LedgerCalls()
    const controller = new AbortController()
    const running = calls.send('a', 'sleep 60', { cancel: controller.signal })
    await waitFor(() => calls.runs('a'), { what: 'the command to run' })
    controller.abort()

    expect(await running).toMatchObject({ status: 'cancelled' })
    expect(await calls.send('a', 'sleep 60')).toMatchObject({ status: 'cancelled', replayed: true })
    expect(calls.runs('a')).toBe(1)
  })

  test('while it runs is answered with it', async () => {
    const calls = new LedgerCalls()
    const results = await Promise.all([1, 2, 3].map(() => calls.send('a', 'sleep 0.3; echo $RANDOM')))

    expect(new Set(results.map(({ output }) => output)).size).toBe(1)
    expect(results.filter(({ replayed }) => replayed)).toHaveLength(2)
    expect(calls.runs('a')).toBe(1)
  })

  test('while it runs, and is cancelled, only stops waiting', async () => {
    const calls = new LedgerCalls()
    const running = calls.send('a', 'sleep 0.5; echo out')
    await waitFor(() => calls.runs('a'), { what: 'the command to run' })
    const second = await calls.send('a', 'sleep 0.5; echo out', { cancel: AbortSignal.timeout(50) })

    expect(second).toMatchObject({ status: 'error', error: { code: 'ERR_CANCELLED' } })
    expect(await running).toMatchObject({ status: 'completed', output: 'out\n' })
  })

  test('in the background gives the job that it started', async () => {
    const calls = new LedgerCalls()
    const first = await calls.send('a', 'echo out', {}, 'background')
    const second = await calls.send('a', 'echo out', {}, 'background')
    await calls.store.wait(first.jobId ?? '')
    calls.loseOutput()
    const third = await calls.send('a', 'echo out', {}, 'background')

    expect(second).toMatchObject({ status: 'background', jobId: first.jobId, replayed: true })
    const { status, jobId, pid, pgid, outputFile } = first
    expect(third).toMatchObject({ status, jobId, pid, pgid, outputFile, replayed: true })
    expect(calls.runs('a')).toBe(1)
  })

  test('that goes on as a job gives that job', async () => {
    const calls = new LedgerCalls({}, { backgroundAfter: 200 })
    const command = `until [ -e ${calls.directory}/go ]; do sleep 0.02; done; echo out`
    const first = await calls.send('a', command)
    const second = await calls.send('a', command)
    calls.loseOutput()
    const third = await calls.send('a', command)
    writeFileSync(join(calls.directory, 'go'), '')
    await calls.store.wait(first.jobId ?? '')

    expect(first).toMatchObject({ status: 'background', backgroundAfterMs: 200 })
    expect(withoutReplayed(second)).toEqual(JSON.parse(JSON.stringify(first)))
    expect(third).toMatchObject({ status: 'background', jobId: first.jobId, replayed: true })
    expect(calls.runs('a')).toBe(1)
  })

  test('that has killed its supervisor gives that', async () => {
    const calls = new LedgerCalls()
    const [first, second] = [await calls.send('a', 'kill -9 $PPID'), await calls.send('a', 'kill -9 $PPID')]

    expect(first).toMatchObject({ status: 'error', error: { code: 'ERR_SUPERVISOR_LOST' } })
    expect(second).toMatchObject({ status: 'error', error: first.error, replayed: true })
    expect(calls.runs('a')).toBe(1)
  })

  test('touches no session, and waits for none', async () => {
    const calls = new LedgerCalls()
    const session = new BashSession({ workingDir: '/' })
    await calls.send('a', 'x=1; cd /usr', { session })
    await calls.send('b', 'x=2; cd /', { session })
    const running = calls.send('c', 'sleep 0.5', { session })
    const again = await calls.send('a', 'x=1; cd /usr', { session })
    const { sequence } = await session.snapshot({ key: new Uint8Array(32) })
    await running

    expect(again).toMatchObject({ status: 'completed', replayed: true })
    expect(sequence).toBe(3)
    expect((await calls.send('d', 'echo $x $PWD', { session })).output).toBe('2 /\n')
  })

  test('of the suite and of the exec tool is answered, too', async () => {
    const { ledger, directory } = new LedgerCalls()
    const command = `echo run >> ${directory}/runs; echo out; echo err >&2; exit 3`
    const context = { workingDir: '/', toolCallId: 'a' }
    const exec = createExecTool({ calls: ledger })
    const [first, second] = [
      await exec.execute({ command }, context),
      await exec.execute({ command }, context),
    ]
    const { bash } = createBashSuite({ calls: ledger })
    const suite = { ...context, toolCallId: 'b' }
    const [third, fourth] = [await bash.execute({ command }, suite), await bash.execute({ command }, suite)]

    expect(first).toEqual({ stdout: 'out\n', stderr: 'err\n', exitCode: 3 })
    expect(second).toEqual(first)
    expect(withoutReplayed(fourth)).toEqual(third)
    expect(readFileSync(join(directory, 'runs'), 'utf8')).toBe('run\nrun\n')
  })

  test('in Restricted mode is answered, too', async () => {
    const obstacle = await whyNotRestricted()
    if (obstacle !== undefined) return cannotTest(obstacle)
    const { ledger } = new LedgerCalls()
    const bash = createBashTool({ calls: ledger })
    const context = { workingDir: '/', toolCallId: 'a', sandbox: 'restricted' } as const
    const command = 'echo $RANDOM-$RANDOM-$RANDOM'
    const [first, second] = [
      await bash.execute({ command }, context),
      await bash.execute({ command }, context),
    ]

    expect(first).toMatchObject({ status: 'completed', sandbox: 'restricted' })
    expect(withoutReplayed(second)).toEqual(first)
  })

  test('with a durable mark is answered, too', async () => {
    const calls = new LedgerCalls({ durable: true })
    await calls.send('a', 'echo out')
    expect(await calls.send('a', 'echo out')).toMatchObject({ output: 'out\n', replayed: true })
  })
})
