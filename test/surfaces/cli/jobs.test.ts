// bashward jobs: listing jobs, and ending them.
import { chmodSync } from 'node:fs'
import type { Job } from '../../../lib/index.js'
import { nobody, writeJob } from '../../commands/jobs/job-files.js'
import { killHosts, startHost } from '../../support/host.js'
import { cannotTest } from '../../support/must-work.js'
import {
  killLeftovers,
  processesWith,
  uniqueSleep,
  waitForSleep,
  waitUntilGone,
} from '../../support/processes.js'
import { waitFor } from '../../support/wait-for.js'
import { bashward, runJob, startJob } from './in-process.js'
import { hasScript, jobsDirectory, jobsOfTest, killPrograms, startOnTerminal } from './program.js'

afterEach(async () => {
  await killHosts()
  await killPrograms()
  killLeftovers()
})

const jobs = (...words: string[]) => bashward(['jobs', ...words])

describe('a job whose host was killed', () => {
  test('is listed, read and killed', async () => {
    const marker = uniqueSleep()
    const { directory } = jobsOfTest()
    const background = [`echo ready; setsid -f sleep ${marker}; sleep ${marker}`]
    const host = startHost('jobs-start', { argument: { directory, background, stay: true } })
    const [{ jobId: id = '', pid = 0 } = {}] = await host.report<{ jobId: string; pid: number }[]>('started')
    await waitForSleep(marker, 2)
    host.kill('SIGKILL')
    await host.exited()

    const list = await jobs()
    expect(list).toMatchObject({ code: 0, stderr: '' })
    expect(list.stdout).toMatch(new RegExp(`^${id} +running +\\d+s +${pid} +echo ready; setsid`, 'm'))

    expect(await jobs('output', id)).toMatchObject({ code: 0, stdout: 'ready\n', stderr: '[running]\n' })

    expect(await jobs('kill', id)).toMatchObject({ code: 0, stdout: `${id} killed\n`, stderr: '' })
    expect(processesWith(marker)).toEqual([])
    expect(await jobs('output', id)).toMatchObject({ code: 0, stdout: 'ready\n', stderr: '[killed]\n' })
  })
})

describe('bashward jobs', () => {
  test('says that there are none', async () => {
    expect(await jobs()).toEqual({ code: 0, signal: null, stdout: 'No background jobs.\n', stderr: '' })
    expect(await jobs('list', '--json')).toMatchObject({ code: 0, stdout: '[]\n' })
  })

  test('lists jobs of every state, the oldest first', async () => {
    const root = jobsDirectory()
    const createdAt = Date.now()
    const leader = { ...nobody, pid: 4_194_303 }
    writeJob(root, 'bash_cccccc', {
      createdAt: createdAt - 5000,
      leader,
      exit: { status: 'failed', exitCode: 7 },
    })
    writeJob(root, 'bash_bbbbbb', { createdAt: createdAt - 7_200_000, leader, exit: {} })
    writeJob(root, 'bash_aaaaaa', { createdAt: createdAt - 1000, leader, command: 'echo a\necho b' })

    expect((await jobs('list')).stdout.replaceAll(/\d+s/g, '?s')).toBe(
      [
        'ID           STATUS               AGE  PID      COMMAND',
        'bash_bbbbbb  completed            2h   4194303  sleep 1',
        'bash_cccccc  failed: exit code 7  ?s   4194303  sleep 1',
        'bash_aaaaaa  lost                 ?s   4194303  echo a echo b',
        '',
      ].join('\n'),
    )
  })

  test('--json has all that is known', async () => {
    const id = await runJob('echo hello; exit 7')
    const { stdout } = await jobs('--json')

    expect(JSON.parse(stdout) as Job[]).toEqual([
      expect.objectContaining({
        id,
        status: 'failed',
        exitCode: 7,
        outputBytes: 6,
        record: expect.objectContaining({ command: 'echo hello; exit 7', workingDir: '/' }),
      }),
    ])
  })

  test('what a command has left running is one', async () => {
    const marker = uniqueSleep()
    await bashward(['run', `sleep ${marker} & echo done`])

    expect((await jobs()).stdout).toMatch(new RegExp(` running .* sleep ${marker} & echo done$`, 'm'))
  })

  test('on a terminal lines end at its edge', async () => {
    if (!hasScript()) return cannotTest('script(1) of util-linux is missing')
    writeJob(jobsDirectory(), 'bash_aaaaaa', { command: `echo ${'long '.repeat(100)}`, exit: {} })
    const { stdout } = await startOnTerminal('jobs', { env: { NO_COLOR: '1' } }, 'stty columns 60; ').exited()
    const lines = stdout.split('\r\n')

    expect(lines[1]).toMatch(/^bash_aaaaaa .* echo long.*…$/)
    expect(lines[1]).toHaveLength(60)
  })

  test('a directory that others may write to is not believed', async () => {
    const directory = jobsDirectory()
    chmodSync(directory, 0o777)
    const { code, stdout, stderr } = await jobs()
    chmodSync(directory, 0o700)

    expect({ code, stdout }).toEqual({ code: 125, stdout: '' })
    expect(stderr).toMatch(/^bashward: .*its mode 0777 lets others write to it/)
  })
})

describe('bashward jobs kill', () => {
  test('of a job that has ended says so', async () => {
    const id = await runJob('exit 7')
    expect(await jobs('kill', id)).toEqual({
      code: 0,
      signal: null,
      stdout: `${id} is not running: failed, exit code 7\n`,
      stderr: '',
    })
  })

  test('has killed the job and its daemons when it returns', async () => {
    const marker = uniqueSleep()
    const id = await startJob(`setsid -f sleep ${marker}; sleep ${marker}`)
    await waitForSleep(marker, 2)

    expect(await jobs('kill', id, '--json')).toMatchObject({
      code: 0,
      stdout: `{"id":"${id}","status":"killed"}\n`,
    })
    await waitUntilGone(marker, 1000)
  })

  test('what cannot be killed is an error with a way out', async () => {
    const marker = uniqueSleep()
    const id = await startJob(`sleep ${marker}; sleep ${marker}`)
    await waitForSleep(marker)
    const { record } = await jobsOfTest().get(id)
    const pid = record?.supervisor.pid ?? 0
    if (pid > 1) process.kill(pid, 'SIGKILL')
    await waitFor(async () => (await jobsOfTest().get(id)).status === 'lost', { what: 'the job to be lost' })

    const { code, stdout, stderr } = await jobs('kill', id)
    // The supervisor takes bash with it, but not what bash has started.
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      new RegExp(`^bashward jobs: ${id}: its supervisor is gone, .* kill -9 -${record?.pgid}\n$`),
    )
  })
})

describe('an unknown id', () => {
  test.each(['output', 'kill'])('is an error of %s', async (action) => {
    expect(await jobs(action, 'bash_zzzzzz')).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: 'bashward jobs: No background command with id bash_zzzzzz (running: none)\n',
    })
  })

  test('is one with --json too', async () => {
    const { code, stdout } = await jobs('kill', 'bash_zzzzzz', '--json')

    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      status: 'error',
      error: { code: 'ERR_JOB_NOT_FOUND', message: expect.stringContaining('bash_zzzzzz') },
    })
  })
})
