// bashward jobs wait: it ends when the job does, with the exit status of its command.
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { writeJob } from '../../commands/jobs/job-files.js'
import { killLeftovers, sleepsWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { waitFor } from '../../support/wait-for.js'
import { bashward, startJob } from './in-process.js'
import { jobsDirectory, jobsOfTest, killPrograms, startBashward } from './program.js'

afterEach(async () => {
  await killPrograms()
  killLeftovers()
})

/** Whether the program listens to signals: to SIGHUP it does so last, and Node does not by itself. */
const listens = (pid: number): boolean => {
  const [, mask = '0'] = /^SigCgt:\s+(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
  return ((BigInt(`0x${mask}`) >> BigInt(constants.signals.SIGHUP - 1)) & 1n) === 1n
}

const jobs = (...words: string[]) => bashward(['jobs', ...words])

test.each([
  ['sleep .2', 0, 'completed'],
  ['sleep .2; exit 7', 7, 'failed: exit code 7'],
  ['sleep .2; kill -SEGV $$', 139, 'killed'],
])('`%s` ends with %i', async (command, code, status) => {
  const id = await startJob(command)

  expect(await jobs('wait', id)).toEqual({ code, signal: null, stdout: `${id} ${status}\n`, stderr: '' })
})

test('a job that is killed meanwhile ends it with its signal', async () => {
  const marker = uniqueSleep()
  const id = await startJob(`sleep ${marker}; true`)
  await waitForSleep(marker)
  const waiting = startBashward(['jobs', 'wait', id])
  await jobsOfTest().kill(id)

  expect(await waiting.exited()).toMatchObject({ code: 143, stdout: `${id} killed\n` })
})

test.each([
  [{ status: 'timed_out', exitCode: null, signal: 'SIGTERM' }, 124],
  [{ status: 'failed', exitCode: null, signal: 'SIGSEGV' }, 139],
  [{ status: 'killed', exitCode: null, signal: 'SIGKILL' }, 137],
  [undefined, 125],
] as const)('a job that ended as %j ends it with %i', async (exit, code) => {
  writeJob(jobsDirectory(), 'bash_aaaaaa', exit === undefined ? {} : { exit })

  expect(await jobs('wait', 'bash_aaaaaa')).toMatchObject({ code, stderr: '' })
})

test('--json prints the job', async () => {
  const id = await startJob('exit 3')
  const { code, stdout } = await jobs('wait', id, '--json')

  expect(code).toBe(3)
  expect(JSON.parse(stdout)).toMatchObject({ id, status: 'failed', exitCode: 3 })
})

test('an unknown id is no command that failed', async () => {
  expect(await jobs('wait', 'bash_zzzzzz')).toEqual({
    code: 125,
    signal: null,
    stdout: '',
    stderr: 'bashward jobs: No background command with id bash_zzzzzz (running: none)\n',
  })
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends it, and leaves the job alone', async (signal, code) => {
  const marker = uniqueSleep()
  const id = await startJob(`echo started; sleep ${marker}`)
  await waitForSleep(marker)
  for (const words of [
    ['wait', id],
    ['output', '--follow', id],
  ]) {
    const program = startBashward(['jobs', ...words])
    await waitFor(() => listens(program.pid), { what: `${words[0]} to listen`, deadlineMs: 20_000 })
    program.kill(signal)
    const exit = await program.exited()

    expect(exit).toMatchObject({ code, signal: null, stderr: '' })
  }
  expect(sleepsWith(marker)).toHaveLength(1)
  expect(await jobsOfTest().get(id)).toMatchObject({ status: 'running' })
})
