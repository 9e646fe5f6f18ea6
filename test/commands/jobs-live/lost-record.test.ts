// A job whose record is damaged, out of reach or gone: while its supervisor holds the lock it runs, and can be killed.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { processStartTime } from '../../../lib/base/util/process-identity.js'
import { isRoot } from '../../support/as-user.js'
import { killHosts, runHost } from '../../support/host.js'
import { cannotTest } from '../../support/must-work.js'
import { processesWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { leaveNothing, liveJobs } from './live-jobs.js'

afterEach(leaveNothing)
afterEach(killHosts)
afterAll(removeTempDirs)

const replace = (path: string, make: () => unknown) => {
  rmSync(path)
  make()
}

test.each([
  ['is damaged', (path: string) => writeFileSync(path, '{"version":')],
  ['is that of no job', (path: string) => writeFileSync(path, '{}')],
  [
    'is that of another job',
    (path: string) =>
      writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), id: 'bash_000000' })),
  ],
  ['is a FIFO', (path: string) => replace(path, () => execFileSync('mkfifo', [path]))],
  ['is a link', (path: string) => replace(path, () => symlinkSync('/etc/passwd', path))],
  ['is missing', (path: string) => rmSync(path)],
])('a job whose job.json %s runs, and is killed', async (_, harm) => {
  const marker = uniqueSleep()
  const { store, start } = liveJobs()
  const { id, outputFile } = await start(`echo printed; sleep ${marker}`)
  await waitForSleep(marker)
  harm(join(dirname(outputFile), 'job.json'))
  // A job that is starting has none either.
  await waitFor(() => Date.now() - statSync(dirname(outputFile)).birthtimeMs > 5_000, {
    what: 'more than a start',
  })

  expect(await store.get(id)).toMatchObject({ status: 'running', record: null, problem: expect.any(String) })
  expect(await store.list()).toMatchObject([{ id, status: 'running' }])
  expect(await store.read(id)).toMatchObject({ status: 'running', output: 'printed\n' })
  expect(await store.cleanUp()).toEqual([])
  expect(await store.kill(id)).toEqual({ status: 'killed' })
  expect(processesWith(marker)).toEqual([])
})

interface Bystander {
  pid: number
  startTime: number
}

test.each([
  ['another pid', () => ({ supervisor: { pid: 4_000_000, startTime: 1, locksOutput: true } })],
  ['the pid of another process', ({ pid, startTime }: Bystander) => ({ supervisor: { pid, startTime } })],
  ['another boot', () => ({ bootId: '00000000-0000-0000-0000-000000000000' })],
])('a job whose job.json names %s runs, and is killed', async (_, changes) => {
  const marker = uniqueSleep()
  const { store, start } = liveJobs()
  const { id, outputFile } = await start(`echo printed; sleep ${marker}`)
  await waitForSleep(marker)
  const other = uniqueSleep()
  const bystander = spawn('sleep', [other], { stdio: 'ignore' })
  await waitForSleep(other)
  const pid = bystander.pid ?? 0
  const path = join(dirname(outputFile), 'job.json')
  const record = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(
    path,
    JSON.stringify({ ...record, ...changes({ pid, startTime: processStartTime(pid) ?? 0 }) }),
  )

  expect(await store.get(id)).toMatchObject({ status: 'running' })
  expect(await store.kill(id)).toEqual({ status: 'killed' })
  expect([processesWith(marker), processesWith(other).length]).toEqual([[], 1])
  bystander.kill()
})

test('a job whose output was moved away is killed', async () => {
  const marker = uniqueSleep()
  const { store, start } = liveJobs()
  const { id, outputFile } = await start(`sleep ${marker}`)
  await waitForSleep(marker)
  renameSync(outputFile, `${outputFile}.moved`)

  expect(await store.kill(id)).toEqual({ status: 'killed' })
  expect(processesWith(marker)).toEqual([])
})

test('a kill ends no job whose output stands in the place of that of another one', async () => {
  const [own, others] = [uniqueSleep(), uniqueSleep()]
  const { store, start } = liveJobs()
  const job = await start(`sleep ${own}`)
  const other = await start(`sleep ${others}`)
  await waitForSleep(own)
  await waitForSleep(others)
  rmSync(job.outputFile)
  linkSync(other.outputFile, job.outputFile)

  expect(await store.kill(job.id)).toMatchObject({ status: 'error', error: { code: 'ERR_JOB_NOT_KILLED' } })
  expect(processesWith(others)).toHaveLength(1)
})

test.each([0, 1])(
  'a kill ends no job of another file system whose output has the same number (%d of two)',
  async (damaged) => {
    const directories = [tempDir(), tempDir()]
    const user = isRoot ? [] : ['--user', '--map-root-user']
    const script =
      'mount -t tmpfs -o mode=700 one "$1" && mount -t tmpfs -o mode=700 two "$2" && shift 2 && exec "$@"'
    const shell = ['sh', '-c', script, 'sh', ...directories]
    const words = [...user, '--mount', '--propagation', 'private', ...shell]
    if (spawnSync('unshare', [...words, 'true']).status !== 0) return cannotTest('nothing can be mounted')
    const prefix = ['unshare', ...words]

    expect(await runHost('damaged-record', { prefix, argument: { directories, damaged } })).toEqual({
      status: 'killed',
      otherStatus: 'running',
      isSameNumber: true,
    })
  },
)
