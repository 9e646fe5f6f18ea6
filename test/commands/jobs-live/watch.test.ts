// store.watch() with real supervisors: what is told, to whom, and when no more.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  eventText,
  type JobEvent,
  type JobEvents,
  JobStore,
  type WatchJobsOptions,
} from '../../../lib/index.js'
import { tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { gate, type LiveJobs, leaveNothing, liveJobs, supervisorPid } from './live-jobs.js'

const watches = new Set<JobEvents>()

afterEach(async () => {
  for (const events of watches) await events.return()
  watches.clear()
  await leaveNothing()
})

/** What there is in the directory of jobs. */
const namesIn = (directory: string): string[] => (existsSync(directory) ? readdirSync(directory) : [])

const watchWith = ({ store }: { store: JobStore }, options: WatchJobsOptions = {}): JobEvents => {
  const events = store.watch(options)
  watches.add(events)
  return events
}

const nextOf = async (events: JobEvents): Promise<JobEvent> => {
  const { value } = await events.next()
  if (value === undefined) throw new Error('nothing is told any more')
  return value
}

/** All that a consumer would be told now; each is acknowledged if that is wanted. */
const untold = async (
  jobs: { store: JobStore },
  consumer: string,
  acknowledges = false,
): Promise<string[]> => {
  const abort = new AbortController()
  const ids: string[] = []
  const events = watchWith(jobs, { consumer, signal: abort.signal })
  let next = events.next()
  for (;;) {
    const timer = setTimeout(() => abort.abort(), 500)
    const { value } = await next
    clearTimeout(timer)
    if (value === undefined) return ids
    if (value.type === 'end') ids.push(value.job.id)
    if (acknowledges) await value.acknowledge()
    next = events.next()
  }
}

const endedJobs = async (jobs: LiveJobs, commands: string[]): Promise<string[]> => {
  const ids: string[] = []
  for (const command of commands) {
    const { id } = await jobs.start(command)
    await jobs.store.wait(id)
    await waitFor(() => existsSync(join(jobs.directory, 'ended', id)), { what: `the end of ${id}` })
    ids.push(id)
  }
  return ids
}

test('an end is told as it happens, with its last lines', async () => {
  const jobs = liveJobs()
  const events = watchWith(jobs)
  const next = nextOf(events)
  const { id } = await jobs.start('echo one; echo two; exit 3')
  const event = await next
  expect(event).toMatchObject({
    type: 'end',
    job: { id, status: 'failed', exitCode: 3 },
    lines: ['one', 'two'],
  })
  expect(eventText(event)).toMatch(
    /^\[job bash_\w+ ended: exit code 3 after [\d.]+s; last lines:\none\ntwo\]$/,
  )
})

test('without a consumer nothing is told of what was before', async () => {
  const jobs = liveJobs()
  await endedJobs(jobs, ['true'])
  const events = watchWith(jobs)
  const { id } = await jobs.start('true')
  expect(await nextOf(events)).toMatchObject({ job: { id } })
})

test('a consumer is told of what ended before, in order, until it acknowledges, and not after', async () => {
  const jobs = liveJobs()
  const ids = await endedJobs(jobs, ['true', 'false', 'true'])
  expect(await untold(jobs, 'a')).toEqual(ids)
  const events = watchWith(jobs, { consumer: 'a' })
  await nextOf(events)
  const second = await nextOf(events)
  await second.acknowledge()
  await events.return()
  expect(await untold(jobs, 'a', true)).toEqual([ids[0], ids[2]])
  expect(await untold(jobs, 'a')).toEqual([])
  expect(await untold(jobs, 'b')).toEqual(ids)
})

test('an event can be acknowledged when nobody watches any more', async () => {
  const jobs = liveJobs()
  await endedJobs(jobs, ['true'])
  const events = watchWith(jobs, { consumer: 'a' })
  const event = await nextOf(events)
  await events.return()
  await event.acknowledge()
  await event.acknowledge()
  expect(await untold(jobs, 'a')).toEqual([])
})

test('an end is told also when its job was removed', async () => {
  const jobs = liveJobs()
  const conversationId = 'c1'
  expect(await untold(jobs, 'a')).toEqual([])
  const command = 'echo last words; exit 4'
  const started = await jobs.tool.execute(
    { command, mode: 'background' },
    { workingDir: '/', conversationId },
  )
  await jobs.store.wait(started.jobId ?? '')
  const cleaning = new JobStore({ directory: jobs.directory, maxJobs: 0 })
  await waitFor(async () => (await cleaning.cleanUp()).length > 0, { what: 'the job to be removed' })
  expect(await jobs.store.list()).toEqual([])
  const event = await nextOf(watchWith(jobs, { consumer: 'a', conversationId }))
  expect(event).toMatchObject({
    type: 'end',
    command,
    lines: ['last words'],
    job: { exitCode: 4, record: null },
  })
  await event.acknowledge()
  await cleaning.cleanUp()
  expect(namesIn(join(jobs.directory, 'ended'))).toEqual([])
})

test('a job whose supervisor is killed is told as lost', async () => {
  const jobs = liveJobs()
  const { id } = await jobs.start('echo begun; exec sleep 300')
  const next = nextOf(watchWith(jobs, { jobId: id }))
  await waitFor(() => readFileSync(join(jobs.directory, id, 'output'), 'utf8').includes('begun'), {
    what: 'it',
  })
  process.kill(supervisorPid(await jobs.store.get(id)), 'SIGKILL')
  expect(await next).toMatchObject({ type: 'end', job: { id, status: 'lost' }, lines: ['begun'] })
})

test('with a job it ends with that job, also when it ended before', async () => {
  const jobs = liveJobs()
  const [id = ''] = await endedJobs(jobs, ['true', 'true'])
  const events = watchWith(jobs, { jobId: id })
  expect(await nextOf(events)).toMatchObject({ type: 'end', job: { id } })
  expect(await events.next()).toEqual({ done: true, value: undefined })
})

test('with a job whose end was acknowledged it ends at once', async () => {
  const jobs = liveJobs()
  const [id] = await endedJobs(jobs, ['true'])
  await untold(jobs, 'a', true)
  expect(await watchWith(jobs, { consumer: 'a', jobId: id }).next()).toEqual({ done: true, value: undefined })
})

test('with a conversation it tells of its jobs only', async () => {
  const jobs = liveJobs()
  const events = watchWith(jobs, { conversationId: 'mine' })
  await endedJobs(jobs, ['true'])
  const context = { workingDir: '/', conversationId: 'mine' }
  const { jobId: id } = await jobs.tool.execute({ command: 'true', mode: 'background' }, context)
  expect(await nextOf(events)).toMatchObject({ job: { id } })
})

test('a consumer has one watcher, and the next one as soon as that ends', async () => {
  const jobs = liveJobs()
  const first = watchWith(jobs, { consumer: 'a' })
  const pending = first.next()
  await waitFor(() => namesIn(jobs.directory).includes('consumers'), { what: 'the consumer' })
  const second = watchWith({ store: new JobStore({ directory: jobs.directory }) }, { consumer: 'a' })
  await expect(second.next()).rejects.toMatchObject({ code: 'ERR_CONSUMER_BUSY' })
  await first.return()
  expect(await pending).toEqual({ done: true, value: undefined })
  const [id] = await endedJobs(jobs, ['true'])
  expect(await untold(jobs, 'a')).toEqual([id])
})

test('aborting ends it without an error, and a pending wait with it', async () => {
  const jobs = liveJobs()
  const abort = new AbortController()
  const told: JobEvent[] = []
  setTimeout(() => abort.abort(new Error('of the caller')), 50)
  for await (const event of watchWith(jobs, { consumer: 'a', signal: abort.signal })) told.push(event)
  expect(told).toEqual([])
})

test('a directory that is replaced is watched anew', async () => {
  const jobs = liveJobs()
  const events = watchWith(jobs)
  const next = nextOf(events)
  await waitFor(() => namesIn(jobs.directory).includes('ended'), { what: 'the watcher' })
  await new Promise((resolve) => setImmediate(resolve))
  renameSync(join(jobs.directory, 'ended'), join(jobs.directory, 'old'))
  rmSync(join(jobs.directory, 'old'), { recursive: true })
  const { id } = await jobs.start('true')
  expect(await next).toMatchObject({ job: { id } })
})

test('a consumer keeps its name, and what it acknowledges, when all directories are replaced', async () => {
  const jobs = liveJobs()
  const events = watchWith(jobs, { consumer: 'a' })
  const next = nextOf(events)
  await waitFor(() => namesIn(jobs.directory).includes('ended'), { what: 'the watcher' })
  rmSync(jobs.directory, { recursive: true })
  const { id } = await jobs.start('true')
  const event = await next
  expect(event).toMatchObject({ job: { id } })
  await event.acknowledge()
  await expect(watchWith(jobs, { consumer: 'a' }).next()).rejects.toMatchObject({ code: 'ERR_CONSUMER_BUSY' })
  await events.return()
  expect(await untold(jobs, 'a')).toEqual([])
})

test('of a job that is not there the error names those that run', async () => {
  const jobs = liveJobs()
  const { id } = await jobs.start('exec sleep 300')
  await expect(watchWith(jobs, { jobId: 'bash_000000' }).next()).rejects.toMatchObject({
    code: 'ERR_JOB_NOT_FOUND',
    message: `No background command with id bash_000000 (running: ${id})`,
  })
})

test('a mark that cannot be written rejects, and the end is told again', async () => {
  const jobs = liveJobs()
  const [id] = await endedJobs(jobs, ['true'])
  const events = watchWith(jobs, { consumer: 'a' })
  const event = await nextOf(events)
  const consumers = join(jobs.directory, 'consumers')
  const acked = join(consumers, readdirSync(consumers)[0] ?? '', 'acked')
  rmSync(acked, { recursive: true })
  writeFileSync(acked, 'in the way')
  await expect(event.acknowledge()).rejects.toMatchObject({ code: 'ERR_JOB_DIRECTORY' })
  await events.return()
  rmSync(acked)
  mkdirSync(acked)
  expect(await untold(jobs, 'a')).toEqual([id])
})

test('secrets are not told', async () => {
  process.env.BASHWARD_TEST_TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
  try {
    const jobs = liveJobs()
    const next = nextOf(watchWith(jobs))
    await jobs.start('echo it is ghp_0123456789abcdefghijABCDEFGHIJ012345')
    const event = await next
    expect(eventText(event)).toContain('it is [removed: BASHWARD_TEST_TOKEN]')
    expect(event).toMatchObject({ command: 'echo it is [removed: BASHWARD_TEST_TOKEN]' })
  } finally {
    delete process.env.BASHWARD_TEST_TOKEN
  }
})

test('lines that match are told while it runs, and the last of them before its end', async () => {
  const jobs = liveJobs()
  const { wait, open } = gate()
  const { id } = await jobs.start(`echo other; echo ready 1; ${wait}; printf 'ready 2'`)
  const events = watchWith(jobs, { jobId: id, match: '^ready' })
  expect(await nextOf(events)).toMatchObject({ type: 'match', lines: ['ready 1'] })
  open()
  expect(await nextOf(events)).toMatchObject({ type: 'match', lines: ['ready 2'] })
  expect(await nextOf(events)).toMatchObject({ type: 'end' })
})

test('lines of a job that has ended are told, too', async () => {
  const jobs = liveJobs()
  const [id = ''] = await endedJobs(jobs, ['echo ready; echo other'])
  const events = watchWith(jobs, { jobId: id, match: '^ready' })
  expect(await nextOf(events)).toMatchObject({ type: 'match', lines: ['ready'] })
  expect(await nextOf(events)).toMatchObject({ type: 'end' })
  expect(await events.next()).toEqual({ done: true, value: undefined })
})

test('the end of a job that an earlier version has started is told with its id', async () => {
  const jobs = liveJobs()
  const { wait, open } = gate()
  const { id } = await jobs.start(`${wait}; exit 3`)
  rmSync(join(jobs.directory, 'running', id))
  const next = nextOf(watchWith(jobs, { jobId: id, consumer: 'a' }))
  await waitFor(() => namesIn(jobs.directory).includes('consumers'), { what: 'the watcher' })
  open()
  expect(await next).toMatchObject({ type: 'end', job: { id, exitCode: 3 } })
})

test('a port on which it begins to listen is told', async () => {
  const jobs = liveJobs()
  const server = "require('net').createServer().listen(0, '127.0.0.1')"
  const { id } = await jobs.start(`exec '${process.execPath}' -e "${server}"`)
  const event = await nextOf(watchWith(jobs, { jobId: id, listening: true }))
  expect(event).toMatchObject({ type: 'listening', ports: [{ address: '127.0.0.1' }], job: { id } })
})

test('silence is told once', async () => {
  const jobs = liveJobs()
  const { wait, open } = gate()
  const { id } = await jobs.start(`echo begun; ${wait}`)
  const events = watchWith(jobs, { jobId: id, quietAfterMs: 300 })
  expect(await nextOf(events)).toMatchObject({ type: 'quiet', lines: ['begun'] })
  open()
  expect(await nextOf(events)).toMatchObject({ type: 'end' })
})

test('nothing is left of it: no descriptor, no timer', async () => {
  const jobs = liveJobs()
  const open = () => readdirSync('/proc/self/fd').length
  const timers = () => process.getActiveResourcesInfo().filter((name) => /Timeout|FSEvent/.test(name)).length
  // What is opened once stays: an instance of inotify, for one.
  for (let round = 0; round < 2; round += 1) await untold(jobs, 'a')
  const before = { open: open(), timers: timers() }
  for (let round = 0; round < 5; round += 1) await untold(jobs, 'a')
  await waitFor(() => open() <= before.open && timers() <= before.timers, { what: 'everything to be closed' })
})

test('a host that waits for nothing else stays as long as it watches', () => {
  const directory = join(tempDir(), 'jobs')
  const program = `
    const { JobStore } = require('bashward')
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 300).unref()
    const watch = async () => {
      for await (const event of new JobStore({ directory: ${JSON.stringify(directory)} }).watch({ signal: stop.signal })) {}
      console.log('ended')
    }
    watch()`
  const { stdout } = spawnSync(process.execPath, ['-e', program], {
    encoding: 'utf8',
    cwd: join(__dirname, '../../..'),
  })
  expect(stdout).toBe('ended\n')
})
