// The server's bash tool on the portable engine, which cannot make a job of a command that runs: there a command that may take
// longer than an answer is a job from its beginning.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BashSession, JobStore, type ToolContext, type VerdictOptions } from '../../../lib/index.js'
import { createLimitedBash } from '../../../lib/surfaces/mcp/bash.js'
import { endJobs, tempStore } from '../../support/jobs.js'
import { killLeftovers, sleepsWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'

const { BASHWARD_ENGINE: before } = process.env
process.env.BASHWARD_ENGINE = 'portable'

afterEach(async () => {
  await endJobs()
  killLeftovers()
  removeTempDirs()
})

afterAll(() => {
  if (before === undefined) delete process.env.BASHWARD_ENGINE
  else process.env.BASHWARD_ENGINE = before
})

const limitedBash = ({
  answerWithinMs = 40_000,
  verdicts = undefined as VerdictOptions | undefined,
} = {}) => {
  const jobs = tempStore()
  const saveOutput = { directory: tempDir() }
  const tool = createLimitedBash({ jobs, answerWithinMs, scratch: false, safety: true, saveOutput, verdicts })
  const call = async (command: string, mode: string, context: Partial<ToolContext> = {}) => {
    const started: string[] = []
    const onJob = (id: string) => started.push(id)
    const result = await tool.execute({ command, mode }, { workingDir: '/', ...context }, onJob)
    return { result, text: tool.toText(result), started }
  }
  return { jobs, call }
}

test('a session has nothing of a slow command, and the result says so', async () => {
  const { call } = limitedBash()
  const session = new BashSession({ workingDir: '/' })
  const quick = await call('cd /usr; kept=1', 'default', { session })
  const slow = await call('cd /usr/bin; kept=2', 'slow', { session })
  const note =
    '[session state not saved: on the portable engine, a command that may take so long leaves nothing to the session]'

  expect(quick.text).toBe('[no output]')
  expect(slow.text).toBe(`[no output]\n${note}`)
  expect((await call('pwd; echo $kept', 'default', { session })).text).toBe('/usr\n1\n')
})

describe('a slow command that ends in time', () => {
  test.each([
    ['a success', 'echo out; echo err >&2'],
    ['an exit code', 'echo no; exit 7'],
    ['a signal', 'echo no; kill -SEGV $$'],
  ])('%s gives what a foreground command gives', async (_, command) => {
    const { call } = limitedBash()
    const foreground = await call(command, 'default')
    const slow = await call(command, 'slow')

    expect([foreground.started.length, slow.started.length]).toEqual([0, 1])
    const { status, output, exitCode, signal, outputBytes, truncated, binary } = foreground.result
    expect(slow.result).toMatchObject({ status, output, exitCode, signal, outputBytes, truncated, binary })
    expect(slow.result.notice).toBeUndefined()
  })

  test('ends in time however long a person was asked about it', async () => {
    const approve = async () => {
      const askedAt = performance.now()
      await waitFor(() => performance.now() - askedAt > 3100, { what: 'the person' })
      return 'once' as const
    }
    const { call } = limitedBash({ answerWithinMs: 3000, verdicts: { approve } })
    const { result } = await call('sleep 0.4; echo done', 'slow')

    expect(result).toMatchObject({ status: 'completed', output: 'done\n' })
  })

  test('leaves no job behind', async () => {
    const { call, jobs } = limitedBash()
    const { started } = await call('echo no; exit 7', 'slow')

    expect(await jobs.list()).toEqual([])
    await expect(jobs.get(started[0] ?? '')).rejects.toMatchObject({ code: 'ERR_JOB_NOT_FOUND' })
    expect(readdirSync(jobs.directory)).toEqual([])
  })

  test('leaves output that was cut, which its id reads, and nothing in the list', async () => {
    const { call, jobs } = limitedBash()
    const { result, text } = await call('seq 100000', 'slow')

    expect(text).toContain(`[whole output saved: ${result.savedOutput}]`)
    expect(await jobs.list()).toEqual([])
    const { output } = await jobs.read(result.jobId ?? '', { offset: result.outputBytes - 7 })
    expect(output).toBe('100000\n')
    expect(await new JobStore({ directory: jobs.directory, maxJobs: 0 }).cleanUp()).toEqual([result.jobId])
  })
})

test('a command that goes on is said to, and ends with its own exit code', async () => {
  const goesOn = join(tempDir(), 'goes-on')
  const { jobs, call } = limitedBash({ answerWithinMs: 3000 })
  const command = `echo begun; until [ -e ${goesOn} ]; do sleep 0.05; done; exit 5`
  const { result, text } = await call(command, 'slow')

  expect(text).toMatch(/^\[STILL RUNNING after 3s: the command has NOT finished\. .*\nbegun\n$/s)
  writeFileSync(goesOn, '')
  const ended = { status: 'failed', exitCode: 5 }
  expect(await jobs.wait(result.jobId ?? '', { timeoutMs: 20_000 })).toMatchObject(ended)
})

test('when only what bash has started runs on, the answer does not wait for the limit', async () => {
  const marker = uniqueSleep()
  const { result, text } = await limitedBash().call(`sleep ${marker} & echo ready`, 'slow')

  expect(result).toMatchObject({ status: 'background', output: 'ready\n' })
  expect(text).toMatch(/^\[bash has ended; what the command has started in the background goes on as job /)
  await waitForSleep(marker)
})

test('a cancelled command leaves no job that runs', async () => {
  const marker = uniqueSleep()
  const { jobs, call } = limitedBash()
  const cancel = new AbortController()
  const pending = call(`sleep ${marker}; true`, 'slow', { cancel: cancel.signal })
  await waitForSleep(marker)
  cancel.abort()

  expect((await pending).text).toBe('[command cancelled]\n')
  expect(sleepsWith(marker)).toEqual([])
  expect(await jobs.list()).toEqual([expect.objectContaining({ status: 'killed' })])
})
