// A full disk: the job runs on, its end is known, and the loss is reported.
import { spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import type { BashResult, Job, JobOutput, KillJobResult } from '../../../lib/index.js'
import { isRoot } from '../../support/as-user.js'
import { runHost } from '../../support/host.js'
import { cannotTest } from '../../support/must-work.js'
import { processesWith, sleepsWith, uniqueSleep } from '../../support/processes.js'
import { tempDir } from '../../support/temp-dir.js'
import { leaveNothing } from './live-jobs.js'

afterEach(leaveNothing)

const { ENOSPC } = constants.errno
const size = 1024 * 1024

interface Ended {
  job: Job
  read: JobOutput
  /** The output file; a byte is a character. */
  file: string
  files: string[]
}

interface Refused {
  result: BashResult
  ran: boolean
  listed: Job[]
}

/** The words before a command that give it a file system of 1 MiB at `mount`. It ends with the last of its processes. */
const onSmallDisk = (mount: string): string[] => {
  const script = `mount -t tmpfs -o size=${size},mode=0700 none "$0" && exec "$@"`
  const user = isRoot ? [] : ['--user', '--map-root-user']
  return ['unshare', ...user, '--mount', '--propagation', 'private', 'sh', '-c', script, mount]
}

const canMount = (): boolean => {
  const [program = '', ...args] = onSmallDisk(tempDir())
  return spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0
}

/** Undefined when this machine cannot have such a file system. */
const onFullDisk = async <Result>(scenario: string, marker = uniqueSleep()): Promise<Result | undefined> => {
  if (!canMount()) {
    cannotTest('a file system can only be mounted by root or in a user namespace')
    return undefined
  }
  const mount = tempDir()
  const argument = { scenario, mount, outside: tempDir(), marker, size }
  return await runHost<Result>('jobs-full-disk', { argument, prefix: onSmallDisk(mount) })
}

/** What holds for every job on a full disk. */
const expectWholeTruth = ({ job, read, file, files }: Ended) => {
  expect(files.sort()).toEqual(['exit.json', 'job.json', 'output'])
  expect(job.lostBytes).toBeGreaterThan(0)
  expect(job.exit?.lostErrno).toBe(ENOSPC)
  expect(job.droppedBytes).toBe(0)
  // Nothing that was printed is unaccounted.
  const statusLine = /\n\n\[background process [^\]]+\]$/.exec(file)?.[0] ?? ''
  expect(file.length - statusLine.length + job.lostBytes).toBe(job.outputBytes)
  expect(read.error).toMatchObject({
    code: 'ERR_JOB_DIRECTORY',
    message: expect.stringMatching(new RegExp(`^${job.lostBytes} bytes of output .*ENOSPC`)),
  })
}

test('a job that fills the disk runs to its end, and its file ends with the status', async () => {
  const ended = await onFullDisk<Ended>('flood')
  if (ended === undefined) return

  expect(ended.job).toMatchObject({ status: 'failed', exitCode: 5, outputBytes: 3_000_004 })
  expect(ended.file).toMatch(/^a{900000,}\n\n\[background process failed: exit code 5\]$/)
  expect(ended.read.output).toMatch(/a$/)
  expectWholeTruth(ended)
})

test('output of which nothing fits: exit.json says how the job ended', async () => {
  const ended = await onFullDisk<Ended>('nothingFits')
  if (ended === undefined) return

  expect(ended.job).toMatchObject({ status: 'failed', exitCode: 4, outputBytes: 8, lostBytes: 8 })
  expect(ended.read).toMatchObject({ status: 'failed', output: '' })
  expectWholeTruth(ended)
})

test('the status takes the place of the last output, and nothing stands behind it', async () => {
  const ended = await onFullDisk<Ended>('lastPage')
  if (ended === undefined) return

  expect(ended.job).toMatchObject({ status: 'failed', exitCode: 4, outputBytes: 4090 })
  expect(ended.file).toMatch(/^ +\n\n\[background process failed: exit code 4\]$/)
  expect(ended.read.output).toMatch(/^ +$/)
  expectWholeTruth(ended)
})

test('a disk that was full for a while: the loss is told, and where it is', async () => {
  const ended = await onFullDisk<Ended>('forAWhile')
  if (ended === undefined) return
  const { job, file } = ended

  expect(job).toMatchObject({ status: 'completed', outputBytes: 4090 + 588_895 + 5, droppedBytes: 0 })
  expect(job.lostBytes).toBeGreaterThan(400_000)
  expect(job.exit?.lostErrno).toBe(ENOSPC)
  expect(file).toMatch(/^ +x.*\n\n\[\d+ bytes [^\]]+\]\n\n/s)
  expect(file.endsWith('100000\nlast\n\n\n[background process completed]')).toBe(true)
})

test('a job on a full disk can be killed', async () => {
  const marker = uniqueSleep()
  const ended = await onFullDisk<Ended & { killed: KillJobResult }>('kill', marker)
  if (ended === undefined) return

  expect(ended.killed).toEqual({ status: 'killed' })
  expect(ended.job).toMatchObject({ status: 'killed', signal: 'SIGTERM' })
  expect(processesWith(marker)).toEqual([])
})

test.each([
  ['no room for a job', 'background'],
  ['no room for its description', 'description'],
])('%s: it is refused, and nothing of it runs', async (_, scenario) => {
  const refused = await onFullDisk<Refused>(scenario)
  if (refused === undefined) return

  expect(refused.result).toMatchObject({
    status: 'error',
    error: { code: 'ERR_JOB_DIRECTORY', message: expect.stringContaining('ENOSPC') },
  })
  expect(refused.ran).toBe(false)
  expect(refused.listed).toEqual([])
})

test('what a foreground command leaves running is listed, and no more', async () => {
  const marker = uniqueSleep()
  const answer = await onFullDisk<{ result: BashResult; text: string; listed: Job[] }>('adoption', marker)
  if (answer === undefined) return
  const { result, text, listed } = answer

  expect(result).toMatchObject({ status: 'completed', output: 'on\n', survivors: [{ daemon: false }] })
  expect(result.jobId).toBeUndefined()
  const [sleep] = sleepsWith(marker)
  expect(text).toBe(`on\n[still running: ${sleep?.pid} (sleep ${marker}); to stop: kill ${sleep?.pid}]`)
  expect(listed).toEqual([])
})

describe('a command that is to go on as a job', () => {
  interface StayedHere {
    result: BashResult
    text: string
    left: string[]
  }

  test.each([
    ['no room for its files', 'handOver', 'early\nlate\n'],
    ['no room for its output so far', 'handedOutput', `${'a'.repeat(100_000)}late\n`],
  ])(
    '%s: it ends in the foreground with all of its output, and nothing is left',
    async (_, scenario, output) => {
      const stayed = await onFullDisk<StayedHere>(scenario)
      if (stayed === undefined) return

      expect(stayed.result).toMatchObject({ status: 'completed', exitCode: 0, output })
      expect(stayed.text).toMatch(/\[did not go on in the background: .*ENOSPC.*\]$/)
      expect(stayed.left).toEqual([])
    },
  )

  test('the disk is full afterwards: its end is known, and the loss is told', async () => {
    const ended = await onFullDisk<Ended>('handedOver')
    if (ended === undefined) return

    expect(ended.job).toMatchObject({ status: 'failed', exitCode: 4, outputBytes: 6 + 8893 })
    expect(ended.file).toMatch(/^early\n.*\n\n\[background process failed: exit code 4\]$/s)
    expectWholeTruth(ended)
  })
})
