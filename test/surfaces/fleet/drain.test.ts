// Workers that are told to end, frozen, or whose conversations were given up meanwhile.
import { waitFor } from '../../support/wait-for.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { context, TestFleet } from './test-fleet.js'

endFleets()

describe('SIGTERM', () => {
  fleetTest('lets what runs complete, and takes no more calls', async () => {
    const fleet = await TestFleet.start({ workers: [] })
    const worker = await fleet.worker('w1')
    const client = await fleet.client()
    const bash = client.tool()
    const running = bash.execute({ command: fleet.waiting('a') }, context('c1'))
    await fleet.begun('a')
    const queued = bash.execute({ command: fleet.noting('b') }, context('c1'))
    worker.kill('SIGTERM')
    await waitFor(async () => (await client.workers())[0]?.draining, { what: 'the worker to drain' })
    const refused = await bash.execute({ command: fleet.noting('c') }, context('c1'))
    fleet.go('a')

    expect(await running).toMatchObject({ status: 'completed', output: 'out\n' })
    expect((await queued).error?.code).toMatch(/^ERR_(NO_WORKER|NOT_STARTED)$/)
    expect(refused.error?.code).toBe('ERR_NO_WORKER')
    expect(await worker.exited()).toBe(0)
    expect(['a', 'b', 'c'].map((id) => fleet.runs(id))).toEqual([1, 0, 0])
    expect(await client.workers()).toEqual([])
  })

  fleetTest('cancels what still runs after the grace period', async () => {
    const fleet = await TestFleet.start({ workers: [] })
    const worker = await fleet.worker('w1', ['--grace', '0.3'])
    const running = (await fleet.client()).tool().execute({ command: fleet.waiting('a') }, context('c1'))
    await fleet.begun('a')
    worker.kill('SIGTERM')

    expect((await running).status).toBe('cancelled')
    expect(await worker.exited()).toBe(0)
    expect(fleet.runs('end-a')).toBe(0)
  })

  fleetTest('that comes twice ends it at once', async () => {
    const fleet = await TestFleet.start({ workers: [] })
    const worker = await fleet.worker('w1')
    const running = (await fleet.client()).tool().execute({ command: fleet.waiting('a') }, context('c1'))
    await fleet.begun('a')
    worker.kill('SIGTERM')
    worker.kill('SIGINT')

    expect([130, 143]).toContain(await worker.exited())
    expect((await running).error?.code).toBe('ERR_WORKER_LOST')
  })
})

describe('a worker that is frozen', () => {
  fleetTest('is lost for its clients; when it thaws, it ends what is not its own any more', async () => {
    const fleet = await TestFleet.start({ workers: ['w2'] })
    const worker = await fleet.worker('w1')
    const client = await fleet.client({ place: () => 'w1' })
    const bash = client.tool()
    const running = bash.execute({ command: fleet.waiting('a') }, context('c1'))
    await fleet.begun('a')
    worker.kill('SIGSTOP')
    const queued = bash.execute({ command: fleet.noting('b') }, context('c1'))
    const lost = await running
    const notStarted = await queued
    // A person knows that this machine is gone, or gives up what it has.
    await client.release('c1', { abandon: true })
    const elsewhere = await fleet.client({ place: () => 'w2' })
    const other = await elsewhere.tool().execute({ command: 'echo other' }, context('c1'))
    worker.kill('SIGCONT')
    await waitFor(async () => (await client.workers()).some(({ id }) => id === 'w1'), {
      what: 'w1 to be back',
    })
    await waitFor(async () => (await client.workers()).find(({ id }) => id === 'w1')?.running === 0, {
      what: 'its command to be ended',
    })
    const stale = await bash.execute({ command: fleet.noting('c') }, context('c1'))

    expect(lost.error?.code).toBe('ERR_WORKER_LOST')
    expect(notStarted.error?.code).toBe('ERR_NOT_STARTED')
    expect(other).toMatchObject({ output: 'other\n', fleet: { worker: 'w2' } })
    expect(stale).toMatchObject({ status: 'completed', fleet: { worker: 'w2' } })
    expect(['a', 'end-a', 'b', 'c'].map((id) => fleet.runs(id))).toEqual([1, 0, 0, 1])
  })

  fleetTest('and was not given up keeps its command, whose result whoever asks gets', async () => {
    const fleet = await TestFleet.start({ workers: [] })
    const worker = await fleet.worker('w1')
    const client = await fleet.client()
    const call = context('c1', { detached: true })
    const command = fleet.waiting('a')
    const running = client.tool().execute({ command }, call)
    await fleet.begun('a')
    worker.kill('SIGSTOP')
    const lost = await running
    worker.kill('SIGCONT')
    fleet.go('a')
    await waitFor(async () => (await client.workers()).length === 1, { what: 'w1 to be back' })
    const again = await client.tool().execute({ command }, call)

    expect(lost.error?.code).toBe('ERR_WORKER_LOST')
    expect(again).toMatchObject({ status: 'completed', output: 'out\n' })
    expect(fleet.runs('a')).toBe(1)
  })
})

describe('release()', () => {
  fleetTest('ends a conversation: its jobs, its directory, its session', async () => {
    const fleet = await TestFleet.start()
    const client = await fleet.client()
    const { bash, bashOutput } = client.suite()
    const job = await bash.execute(
      { command: `x=1; touch file; ${fleet.waiting('a')}`, run_in_background: true },
      context('c1'),
    )
    await fleet.begun('a')

    expect(await client.release('c1')).toBe(true)
    expect(await client.release('c1')).toBe(false)
    const next = await bash.execute({ command: 'echo "${x-nothing}"; ls' }, context('c1'))
    const read = await bashOutput.execute({ bash_id: job.jobId ?? '' }, context('c1'))
    expect(next.output).toBe('nothing\n')
    expect(bash.toText(next)).not.toContain('session reset')
    expect(read.error?.code).toBe('ERR_JOB_NOT_FOUND')
    expect(fleet.runs('end-a')).toBe(0)
  })

  fleetTest('is refused while a call runs', async () => {
    const fleet = await TestFleet.start()
    const client = await fleet.client()
    const running = client.tool().execute({ command: fleet.waiting('a') }, context('c1'))
    await fleet.begun('a')
    await expect(client.release('c1')).rejects.toMatchObject({ code: 'ERR_BUSY' })
    fleet.go('a')
    expect((await running).status).toBe('completed')
  })

  fleetTest('is remembered on the worker, also when Redis goes back in time', async () => {
    const fleet = await TestFleet.start()
    const client = await fleet.client()
    const bash = client.tool()
    await bash.execute({ command: 'true' }, context('c1'))
    const [key = ''] = await fleet.redis.client.keys('bw:conv:*')
    const before = await fleet.redis.client.hgetall(key)
    const other = await fleet.client()
    await other.release('c1')
    await fleet.redis.client.hset(key, before)
    const stale = await bash.execute({ command: fleet.noting('a') }, context('c1'))

    expect(stale.error?.code).toBe('ERR_FENCED')
    expect(fleet.runs('a')).toBe(0)
  })
})
