// A call of the server's bash tool: the result of a slow command that ends in time, and of one that goes on.
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ToolContext } from '../../../lib/index.js'
import { createLimitedBash } from '../../../lib/surfaces/mcp/bash.js'
import { endJobs, tempStore, waitForOutput, waitForStatusLine } from '../../support/jobs.js'
import { isAlive, killLeftovers, sleepsWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterEach(async () => {
  await endJobs()
  killLeftovers()
  removeTempDirs()
})

const timeouts = { default: 30_000, slow: 900_000, background: 86_400_000 }

const limitedBash = ({ answerWithinMs = 40_000, slow = 900_000 } = {}) => {
  const jobs = tempStore()
  const tool = createLimitedBash({
    jobs,
    answerWithinMs,
    scratch: false,
    safety: true,
    saveOutput: { directory: tempDir() },
    timeouts: { ...timeouts, slow },
  })
  const call = async (
    command: string,
    mode: string,
    context: Partial<ToolContext> = {},
    timeout?: number,
  ) => {
    const started: string[] = []
    const onJob = (id: string) => started.push(id)
    const input = { command, mode, ...(timeout !== undefined && { timeout }) }
    const result = await tool.execute(input, { workingDir: '/', ...context }, onJob)
    return { result, text: tool.toText(result), started }
  }
  return { jobs, tool, call }
}

describe('a timeout of the caller', () => {
  test.each(['default', 'slow'])('takes the place of that of mode %s', async (mode) => {
    const marker = uniqueSleep()
    const { call } = limitedBash()
    const { result, text } = await call(`echo begun; sleep ${marker}`, mode, {}, 700)

    expect(result).toMatchObject({ status: 'timed_out', timeoutMs: 700, output: 'begun\n' })
    expect(text).toMatch(/^\[command timed out after 0\.7s\]\nbegun\n/)
    expect(sleepsWith(marker)).toEqual([])
  })

  test('ends a background command', async () => {
    const { call, jobs } = limitedBash()
    const { result } = await call(`sleep ${uniqueSleep()}`, 'background', {}, 300)

    expect(result.status).toBe('background')
    const job = await jobs.wait(result.jobId ?? '', { timeoutMs: 30_000 })
    expect(job.status).toBe('timed_out')
  })
})

describe('a slow command that ends in time', () => {
  test.each([
    ['a success', 'echo out; echo err >&2'],
    ['a success without output', 'true'],
    ['an exit code', 'echo no; exit 7'],
    ['a signal', 'echo no; kill -SEGV $$'],
    ['escape sequences', "printf '\\033[31mred\\033[0m 1%%\\r100%%\\n'"],
    ['long output', 'seq 100000'],
    ['binary output', "printf 'a\\0b\\377'"],
  ])('%s gives what a foreground command gives', async (_, command) => {
    const { call } = limitedBash()
    const foreground = await call(command, 'default')
    const slow = await call(command, 'slow')

    expect([...foreground.started, ...slow.started]).toEqual([])
    const { status, output, exitCode, signal, outputBytes, truncated, binary } = foreground.result
    expect(slow.result).toMatchObject({ status, output, exitCode, signal, outputBytes, truncated, binary })
    expect(slow.result.usage).not.toBeNull()
    expect(slow.result.notice).toBeUndefined()
  })

  test('of output that is too long, the file with all of it is named', async () => {
    const { call } = limitedBash()
    const { result, text } = await call('seq 100000', 'slow')

    expect(text).toContain(`[whole output saved: ${result.savedOutput}]`)
    expect(await waitForOutput(result.savedOutput, '\n100000\n')).toContain('\n99999\n')
  })

  test.each(['true', 'echo no; exit 7', 'kill -SEGV $$'])('leaves no job behind: %s', async (command) => {
    const { call, jobs } = limitedBash()
    await call(command, 'slow')

    expect(existsSync(jobs.directory)).toBe(false)
  })

  testRestricted('a refusal of the sandbox is named', async () => {
    const { call } = limitedBash()
    const { text } = await call('touch /tmp/denied', 'slow', { sandbox: 'restricted' })

    expect(text).toMatch(/\n\[sandbox: files are read-only in Restricted mode\]$/)
  })
})

describe('a command that goes on', () => {
  test('is said to, with its output so far', async () => {
    const { call } = limitedBash({ answerWithinMs: 2000 })
    const { result, text } = await call('echo begun; sleep 300', 'slow')
    const { jobId, pid, outputFile } = result

    expect(text).toBe(
      `[STILL RUNNING after 2s: the command has NOT finished. It goes on as background job ${jobId}, ` +
        `for up to 15min in all. Do not run it again]
<bash_id>${jobId}</bash_id>
<pid>${pid}</pid>
<output_file>${outputFile}</output_file>
<reminder>To read its output: bash_output. To stop: kill_bash</reminder>
Output so far:
begun
`,
    )
  })

  test('tells where it listens', async () => {
    const { call } = limitedBash({ answerWithinMs: 4000 })
    const command = `exec '${process.execPath}' -e 'require("net").createServer().listen(0, "127.0.0.1")'`
    const { result, text } = await call(command, 'slow')
    const [{ port } = { port: 0 }] = result.listening ?? []

    expect(port).toBeGreaterThan(0)
    expect(text).toMatch(
      new RegExp(`\\nOutput so far:\\n\\[none\\]\\n\\[listening: 127\\.0\\.0\\.1:${port}\\]$`),
    )
  })

  test('also one in the default mode, where the limit is shorter than its timeout', async () => {
    const { call } = limitedBash({ answerWithinMs: 200 })

    expect((await call('sleep 300', 'default')).result).toMatchObject({
      status: 'background',
      exitCode: null,
    })
  })

  test('ends with its own exit code', async () => {
    const goesOn = join(tempDir(), 'goes-on')
    const { jobs, call } = limitedBash({ answerWithinMs: 1 })
    const { result } = await call(`until [ -e ${goesOn} ]; do sleep 0.05; done; echo end; exit 5`, 'slow')

    expect(result.status).toBe('background')
    writeFileSync(goesOn, '')
    expect(await jobs.wait(result.jobId ?? '', { timeoutMs: 20_000 })).toMatchObject({
      status: 'failed',
      exitCode: 5,
    })
  })

  test('ends with its timeout', async () => {
    // On a very busy machine the timeout comes before the answer; then the test tries a later one.
    for (let slow = 500; ; slow *= 3) {
      const { jobs, call } = limitedBash({ answerWithinMs: 1, slow })
      const { result } = await call('sleep 300', 'slow')
      if (result.status === 'timed_out' && slow < 10_000) continue

      expect(result.status).toBe('background')
      expect(await jobs.wait(result.jobId ?? '', { timeoutMs: 20_000 + slow })).toMatchObject({
        status: 'timed_out',
      })
      break
    }
  })

  test('has all of its output in the file of the job', async () => {
    const goesOn = join(tempDir(), 'goes-on')
    const { call } = limitedBash({ answerWithinMs: 4000 })
    const { result } = await call(`seq 100000; until [ -e ${goesOn} ]; do sleep 0.05; done; echo end`, 'slow')

    expect(result).toMatchObject({ status: 'background', truncated: true })
    expect(result.savedOutput).toBeUndefined()
    writeFileSync(goesOn, '')
    const numbers = Array.from({ length: 100_000 }, (_, i) => `${i + 1}\n`).join('')
    const file = await waitForStatusLine(result.outputFile)
    expect(file).toBe(`${numbers}end\n\n\n[background process completed]`)
  })

  test('ends in the foreground when there can be no job, and says why', async () => {
    const goesOn = join(tempDir(), 'goes-on')
    const { jobs, call } = limitedBash({ answerWithinMs: 100 })
    writeFileSync(dirname(jobs.directory), '')
    setTimeout(() => writeFileSync(goesOn, ''), 500)
    const { text } = await call(`until [ -e ${goesOn} ]; do sleep 0.05; done; echo end`, 'slow')

    expect(text).toMatch(/^end\n\[did not go on in the background: .*ENOTDIR/)
  })
})

test('what bash has left running is a job, and the answer does not wait for the limit', async () => {
  const marker = uniqueSleep()
  const { call } = limitedBash()
  const { result, text } = await call(`sleep ${marker} & echo ready`, 'slow')

  expect(result).toMatchObject({ status: 'completed', output: 'ready\n' })
  expect(text).toMatch(/^ready\n\[still running as job bash_\w+: .*; to stop: kill_bash bash_\w+\]$/)
  await waitForSleep(marker)
})

test('mode background answers at once', async () => {
  const { call } = limitedBash()
  const { result, text, started } = await call('sleep 300', 'background')

  expect(started).toEqual([])
  expect(text).toMatch(/^<bash_id>bash_\w+<\/bash_id>\n<pid>/)
  expect(isAlive(result.pid ?? 0)).toBe(true)
})

test('a cancelled command leaves no job that runs', async () => {
  const marker = uniqueSleep()
  const { jobs, call } = limitedBash()
  const cancel = new AbortController()
  const pending = call(`setsid -f sleep ${marker}; sleep ${marker}`, 'slow', { cancel: cancel.signal })
  await waitForSleep(marker, 2)
  cancel.abort()

  expect((await pending).text).toBe('[command cancelled]\n')
  expect(sleepsWith(marker)).toEqual([])
  expect(existsSync(jobs.directory)).toBe(false)
})
