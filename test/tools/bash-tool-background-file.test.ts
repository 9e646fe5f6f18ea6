// The output file of a background job: what it holds, and how it ends (REQ-BASH-003).
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { endJobs, waitForStatusLine } from '../support/jobs.js'
import {
  killLeftovers,
  processesWith,
  uniqueSleep,
  waitForSleep,
  waitUntilGone,
} from '../support/processes.js'
import { removeTempDirs } from '../support/temp-dir.js'
import { fileOfJob, startJob } from './background-job.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

describe('the output file', () => {
  test('has both streams in their order, while the command runs and afterwards', async () => {
    const command = 'for i in 1 2 3; do echo o$i; echo e$i >&2; done'

    expect(await fileOfJob(command)).toBe('o1\ne1\no2\ne2\no3\ne3\n\n\n[background process completed]')
  })

  test('has every byte as it was printed', async () => {
    const { result } = await startJob("printf 'a\\0b\\xff\\r\\e[1mc\\e[0m'")
    await waitForStatusLine(result.outputFile)

    expect(readFileSync(result.outputFile ?? '').toString('latin1')).toBe(
      'a\0b\xff\r\x1b[1mc\x1b[0m\n\n[background process completed]',
    )
  })

  test('is its owner’s alone, and so are the directories above it', async () => {
    const { store, result } = await startJob('true')
    const mode = (path: string) => statSync(path).mode & 0o777

    expect(mode(result.outputFile ?? '')).toBe(0o600)
    expect(mode(join(store.directory, result.jobId ?? ''))).toBe(0o700)
    expect(mode(store.directory)).toBe(0o700)
  })

  test('stays below its allowed size: the beginning, what is missing, the end', async () => {
    const file = await fileOfJob('seq 100000', { maxJobOutputBytes: 262_144 })
    const [, head = '', dropped, tail = ''] =
      /^(1\n2\n.*)\n\n\[(\d+) bytes dropped\]\n\n(.*)\n\n\[background process completed\]$/s.exec(file) ?? []
    const printed = Array.from({ length: 100_000 }, (_, i) => `${i + 1}\n`).join('')

    expect(file.length).toBeLessThanOrEqual(262_144)
    expect(printed.startsWith(head)).toBe(true)
    expect(tail).not.toBe('')
    expect(printed.endsWith(tail)).toBe(true)
    expect(head.length + Number(dropped) + tail.length).toBe(printed.length)
  })
})

describe('the status line is the last line of the file', () => {
  test.each([
    ['success', 'echo done', 'done\n\n\n[background process completed]'],
    ['success without output', 'true', '\n\n[background process completed]'],
    ['success without a line break at the end', 'printf done', 'done\n\n[background process completed]'],
    ['failure', 'echo out; exit 7', 'out\n\n\n[background process failed: exit code 7]'],
    ['an unknown command', 'nope 2>/dev/null', '\n\n[background process failed: exit code 127]'],
    ['SIGKILL', 'echo out; kill -KILL $$', 'out\n\n\n[background process killed: SIGKILL]'],
    ['SIGSEGV', 'kill -SEGV $$', '\n\n[background process killed: SIGSEGV]'],
    ['a child that was killed', "bash -c 'kill -9 $$'; true", '\n\n[background process completed]'],
  ])('%s', async (_, command, expected) => {
    // bash itself tells of a child that was killed.
    expect((await fileOfJob(command)).replace(/^bash: line .*Killed.*\n/, '')).toBe(expected)
  })

  test.each([
    [1000, '1s'],
    [1500, '1500ms'],
  ])('a time limit of %d ms, and nothing is left', async (background, shown) => {
    const marker = uniqueSleep()
    const command = `echo out; setsid -f sleep ${marker}; sleep ${marker}`

    expect(await fileOfJob(command, { timeouts: { background } })).toBe(
      `out\n\n\n[background process timed out after ${shown}]`,
    )
    expect(processesWith(marker)).toEqual([])
  })

  test('comes when the last child has ended, with the exit code of bash', async () => {
    expect(await fileOfJob('(sleep 0.5; echo later) & exit 7')).toBe(
      'later\n\n\n[background process failed: exit code 7]',
    )
  })

  test('comes once only', async () => {
    const file = await fileOfJob('seq 1000')

    expect(file.match(/\[background process/g)).toHaveLength(1)
  })
})

describe('stopping it as the reminder says', () => {
  test('`kill -9 -PGID` in a later command ends it, and the file says so', async () => {
    const marker = uniqueSleep()
    const { result, text, tool, store } = await startJob(`echo on; sleep ${marker}; echo never`)
    await waitForSleep(marker)
    const [, kill = ''] = /<reminder>To stop: (.*)<\/reminder>/.exec(text) ?? []
    const killed = await tool.execute({ command: kill }, { workingDir: '/' })

    expect(tool.toText(killed)).toBe('[no output]')
    expect(await waitForStatusLine(result.outputFile)).toBe('on\n\n\n[background process killed: SIGKILL]')
    expect(processesWith(marker)).toEqual([])
    expect(await store.wait(result.jobId ?? '', { timeoutMs: 10_000 })).toMatchObject({
      status: 'killed',
      signal: 'SIGKILL',
      exitCode: null,
    })
  })

  test('what had left the process group ends as well', async () => {
    const marker = uniqueSleep()
    const { result, tool } = await startJob(
      `setsid -f sleep ${marker}; set -m; sleep ${marker} & sleep ${marker}`,
    )
    await waitForSleep(marker, 3)
    await tool.execute({ command: `kill -9 -${result.pgid}` }, { workingDir: '/' })

    await waitForStatusLine(result.outputFile)
    await waitUntilGone(marker)
  })
})
