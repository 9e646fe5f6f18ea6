// What the result of a command that timed out tells of its processes.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createBashSuite, createBashTool, createExecTool, run, type WaitingFor } from '../../../lib/index.js'
import { killLeftovers, processesWith, uniqueSleep, waitUntilGone } from '../../support/processes.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { testWorkspace } from '../../support/workspace.js'

afterEach(killLeftovers)
afterAll(removeTempDirs)

/** Long enough for a look on a busy machine. */
const timeout = 6_000

const asleep = (marker: string): WaitingFor => ({
  pid: expect.any(Number),
  command: `sleep ${marker}`,
  kind: 'sleep',
  text: expect.stringMatching(/^asleep for \d+ more seconds/),
})

test('a command that timed out tells what it waited for', async () => {
  const marker = uniqueSleep()
  const result = await run(`echo out; sleep ${marker}; true`, { cwd: '/', timeout })

  expect(result).toMatchObject({ status: 'timed_out', output: 'out\n', waitingFor: [asleep(marker)] })
  expect(processesWith(marker)).toEqual([])
})

testRestricted('also in Restricted mode', async () => {
  const marker = uniqueSleep()
  const { waitingFor } = await run(`sleep ${marker}; true`, { cwd: '/', timeout, sandbox: 'restricted' })

  expect(waitingFor).toEqual([asleep(marker)])
})

testWorkspace('also in Workspace mode', async () => {
  const cwd = join(tempDir(), 'work')
  mkdirSync(cwd)
  const marker = uniqueSleep()
  const { waitingFor } = await run(`sleep ${marker}; true`, { cwd, timeout, sandbox: 'workspace' })

  expect(waitingFor).toEqual([asleep(marker)])
})

test('commands that time out together each tell their own', async () => {
  const markers = Array.from({ length: 8 }, uniqueSleep)
  const results = await Promise.all(
    markers.map((marker) => run(`sleep ${marker}; true`, { cwd: '/', timeout })),
  )

  expect(results.map(({ waitingFor }) => waitingFor)).toEqual(markers.map((marker) => [asleep(marker)]))
})

test('commands that time out some seconds apart each tell what they did then', async () => {
  const markers = [uniqueSleep(), uniqueSleep()]
  const results = await Promise.all(
    markers.map((marker, i) => run(`sleep ${marker}; true`, { cwd: '/', timeout: timeout + i * 3_300 })),
  )

  expect(results.map(({ waitingFor }) => waitingFor)).toEqual(markers.map((marker) => [asleep(marker)]))
})

test('a daemon of the command belongs to it', async () => {
  const marker = uniqueSleep()
  const { waitingFor = [] } = await run(`setsid -f sleep ${marker}; setsid -w sleep ${marker}`, {
    cwd: '/',
    timeout,
  })

  expect(waitingFor.map(({ command }) => command)).toEqual([`sleep ${marker}`, `sleep ${marker}`])
})

test('one that computes is busy', async () => {
  const { waitingFor = [] } = await run(`while :; do :; done`, { cwd: '/', timeout })

  expect(waitingFor).toMatchObject([{ kind: expect.stringMatching(/^(?:busy|active)$/) }])
})

test('one that ends by itself tells nothing, however late', async () => {
  const result = await run('sleep 3.5', { cwd: '/', timeout: 4_500 })

  expect(result).toMatchObject({ status: 'completed' })
  expect(result).not.toHaveProperty('waitingFor')
})

test('one that is cancelled tells nothing', async () => {
  const marker = uniqueSleep()
  const cancelSignal = AbortSignal.timeout(3_600)
  const result = await run(`sleep ${marker}`, { cwd: '/', timeout: 4_500, cancelSignal })
  await waitUntilGone(marker)

  expect(result).toMatchObject({ status: 'cancelled' })
  expect(result).not.toHaveProperty('waitingFor')
})

test('a short timeout leaves no time to look', async () => {
  const result = await run(`sleep ${uniqueSleep()}`, { cwd: '/', timeout: 300 })

  expect(result).not.toHaveProperty('waitingFor')
})

test('without `explain` nobody looks', async () => {
  const result = await run(`sleep ${uniqueSleep()}`, { cwd: '/', timeout: 3_000, explain: false })

  expect(result).toMatchObject({ status: 'timed_out' })
  expect(result).not.toHaveProperty('waitingFor')
})

describe('the text for a model ends with it', () => {
  const line = (marker: string) =>
    new RegExp(`\\n\\[when it timed out: \\d+ \\(sleep ${marker}\\): asleep for \\d+ more seconds[^\\n]*\\]$`)

  test('of the bash tool', async () => {
    const marker = uniqueSleep()
    const tool = createBashTool({ timeouts: { default: timeout } })
    const result = await tool.execute({ command: `echo out; sleep ${marker}; true` }, { workingDir: '/' })

    expect(tool.toText(result)).toMatch(line(marker))
    expect(tool.toText(result)).toMatch(/^\[command timed out after 6s\]\nout\n\[/)
  })

  test('of the suite, behind what the session lost', async () => {
    const marker = uniqueSleep()
    const { bash } = createBashSuite()
    const result = await bash.execute({ command: `sleep ${marker}; true`, timeout }, { workingDir: '/' })

    expect(bash.toText(result)).toMatch(line(marker))
  })

  test('of the exec tool, as a field', async () => {
    const marker = uniqueSleep()
    const tool = createExecTool({ timeout })
    const result = await tool.execute({ command: `sleep ${marker}; true` }, { workingDir: '/' })

    expect(result).toMatchObject({ error: 'command timed out after 6s', waitingFor: [asleep(marker)] })
    expect(JSON.parse(tool.toText(result)).whenItTimedOut).toMatch(/^\d+ \(sleep [\d.]+\): asleep for/)
  })
})
