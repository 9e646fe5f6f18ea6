// `kill -9 -PGID` of a background job, which the job store carries out.
import { constants } from 'node:os'
import { BashError } from '../../../lib/base/errors.js'
import {
  killJobOfConversation,
  noteOwnJob,
  parseKillCommand,
} from '../../../lib/commands/jobs/kill-command.js'
import { JobStore } from '../../../lib/commands/jobs/store.js'
import { isAlive, processesWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { leaveNothing, liveJobs, textOf } from '../jobs-live/live-jobs.js'
import { jobsDirectory, startSleep, startSupervisor, stopAll, writeJob } from './job-files.js'

afterEach(async () => {
  await stopAll()
  await leaveNothing()
})

describe('parseKillCommand', () => {
  test.each([
    ['kill -9 -4711', 'SIGKILL'],
    ['kill -4711', 'SIGTERM'],
    ['kill -- -4711', 'SIGTERM'],
    ['kill -9 -- -4711', 'SIGKILL'],
    ['kill -KILL -4711', 'SIGKILL'],
    ['kill -SIGKILL -- -4711', 'SIGKILL'],
    ['kill -s KILL -- -4711', 'SIGKILL'],
    ['kill -s SIGTERM -4711', 'SIGTERM'],
    ['kill -s 9 -4711', 'SIGKILL'],
    ['kill -kill -4711', 'SIGKILL'],
    ['kill -15 -4711', 'SIGTERM'],
    ['kill -TERM -4711', 'SIGTERM'],
    ['kill -INT -4711', 'SIGINT'],
    ['kill -2 -4711', 'SIGINT'],
    ['kill -HUP -4711', 'SIGHUP'],
    ['kill -1 -4711', 'SIGHUP'],
    ['kill -QUIT -4711', 'SIGQUIT'],
    ['kill -3 -4711', 'SIGQUIT'],
    [' \n\tkill \t -9   -4711 \n', 'SIGKILL'],
  ])('%j is %s to a process group', (command, signal) => {
    expect(parseKillCommand(command)).toEqual({ pgid: 4711, signal })
  })

  test.each([
    ['', 'nothing'],
    ['kill', 'no target'],
    ['kill -9', 'no target'],
    ['kill -15', 'no target'],
    ['kill 4711', 'a process'],
    ['kill -9 4711', 'a process'],
    ['kill -9 -- 4711', 'a process'],
    ['kill -9 -4711 -4712', 'two targets'],
    ['kill -9 -4711 4712', 'two targets'],
    ['kill -9 -4711; true', 'two commands'],
    ['kill -9 -4711 && true', 'two commands'],
    ['kill -9 -4711\ntrue', 'two commands'],
    ['kill -9\n-4711', 'two commands'],
    ['kill -9 -4711 &', 'a background process'],
    ['kill -9 -4711 2>/dev/null', 'a redirection'],
    ['kill -9 -4711 # done', 'a comment'],
    ['kill -9 -$PID', 'an expansion'],
    ['kill -9 -"4711"', 'quotes'],
    ['kill -9 -04711', 'a leading zero'],
    ['kill -09 -4711', 'a leading zero'],
    ['kill -9 -0', 'the own group'],
    ['kill -9 -1', 'all processes'],
    ['kill -1', 'no target'],
    ['kill -- -1', 'all processes'],
    ['kill -9 -99999999', 'no process can have it'],
    ['kill -0 -4711', 'a signal that does nothing'],
    ['kill -STOP -4711', 'a signal that stops'],
    ['kill -USR1 -4711', 'a signal for who expects it'],
    ['kill -SIG -4711', 'no signal'],
    ['kill -l -4711', 'another option'],
    ['kill -n 9 -4711', 'another option'],
    ['kill -s -4711', 'a signal that is missing'],
    ['/bin/kill -9 -4711', 'another program'],
    ['sudo kill -9 -4711', 'another program'],
    ['pkill -9 -4711', 'another program'],
    ['Kill -9 -4711', 'another program'],
  ])('%j is not taken: %s', (command) => {
    expect(parseKillCommand(command)).toBeUndefined()
  })

  test('looks at 1000 characters and no more', () => {
    const command = 'kill -9 -4711'
    expect(parseKillCommand(command.padEnd(1000))).toEqual({ pgid: 4711, signal: 'SIGKILL' })
    expect(parseKillCommand(command.padEnd(1001))).toBeUndefined()
  })

  test('takes 4 MiB of blanks for another command', () => {
    expect(parseKillCommand(`kill -9${' '.repeat(4 * 1024 * 1024)}x`)).toBeUndefined()
    expect(parseKillCommand(`${' '.repeat(4 * 1024 * 1024)}x`)).toBeUndefined()
  })
})

describe('killJobOfConversation', () => {
  const kill = (pgid: number) => ({ pgid, signal: 'SIGKILL' })

  test('kills a job with everything it has started, and says so', async () => {
    const marker = uniqueSleep()
    const { store, start } = liveJobs()
    const { id, pid, outputFile } = await start(`setsid -f sleep ${marker}; sleep ${marker}`)
    await waitForSleep(marker, 2)
    noteOwnJob(id)

    expect(await killJobOfConversation(() => store, undefined, kill(pid))).toBe(
      `[job ${id} (process group ${pid}) was killed by the job store]`,
    )
    expect(processesWith(marker)).toEqual([])
    expect(textOf(outputFile)).toMatch(/\[background process killed: SIG(TERM|KILL)\]$/)
  })

  test('kills that of the conversation only', async () => {
    const { pid, startTime } = await startSleep()
    const root = jobsDirectory()
    const supervisor = { pid, startTime }
    const leader = { pid: 4_194_303, startTime: 1 }
    writeJob(root, 'bash_aaaaaa', { conversationId: 'one', supervisor, leader })
    writeJob(root, 'bash_bbbbbb', { supervisor, leader: { ...leader, pid: 4_194_302 } })
    const store = new JobStore({ directory: root })

    expect(await killJobOfConversation(() => store, 'two', kill(4_194_303))).toBeUndefined()
    expect(await killJobOfConversation(() => store, undefined, kill(4_194_303))).toBeUndefined()
    expect(await killJobOfConversation(() => store, 'one', kill(4_194_302))).toBeUndefined()
    expect(isAlive(pid)).toBe(true)
  })

  test('without a conversation, kills what this process has started, and no job of another one', async () => {
    const { pid, startTime } = await startSleep()
    const root = jobsDirectory()
    const leader = { pid: 4_194_303, startTime: 1 }
    writeJob(root, 'bash_cccccc', { supervisor: { pid, startTime }, leader })
    const store = new JobStore({ directory: root })

    expect(await killJobOfConversation(() => store, undefined, kill(4_194_303))).toBeUndefined()
    expect(isAlive(pid)).toBe(true)
  })

  test('leaves everything to the command where there can be no jobs', async () => {
    const getStore = () => {
      throw new BashError('ERR_JOB_DIRECTORY', 'there is no home directory')
    }

    expect(await killJobOfConversation(getStore, undefined, kill(4_194_303))).toBeUndefined()
  })

  test('leaves to the command a group that is no running job', async () => {
    const root = jobsDirectory()
    const leader = { pid: 4_194_303, startTime: 1 }
    writeJob(root, 'bash_aaaaaa', { leader, exit: { status: 'completed' } })
    writeJob(root, 'bash_bbbbbb', { leader })

    expect(
      await killJobOfConversation(() => new JobStore({ directory: root }), undefined, kill(leader.pid)),
    ).toBeUndefined()
  })

  test('leaves to the command a job that ends meanwhile', async () => {
    const root = jobsDirectory()
    const leader = { pid: 4_194_303, startTime: 1 }
    const paths = writeJob(root, 'bash_aaaaaa', { leader })
    const { pid, startTime } = await startSupervisor(paths, { status: 'completed' })
    writeJob(root, 'bash_aaaaaa', { leader, supervisor: { pid, startTime } })

    expect(
      await killJobOfConversation(() => new JobStore({ directory: root }), undefined, kill(leader.pid)),
    ).toBeUndefined()
  })

  test('a job that cannot be killed is an error', async () => {
    const root = jobsDirectory()
    const { pid, startTime } = await startSleep()
    const leader = { pid: 4_194_303, startTime: 1 }
    writeJob(root, 'bash_aaaaaa', { leader, supervisor: { pid, startTime } })
    const store = new JobStore({ directory: root }, () => constants.errno.EPERM)
    noteOwnJob('bash_aaaaaa')

    await expect(killJobOfConversation(() => store, undefined, kill(leader.pid))).rejects.toMatchObject({
      code: 'ERR_JOB_NOT_KILLED',
      message: expect.stringContaining('bash_aaaaaa'),
    })
  })
})
