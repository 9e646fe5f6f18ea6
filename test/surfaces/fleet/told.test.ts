// What callers are told of calls that have not run yet, or that another client has sent: never what is not so.
import { Queue } from 'bullmq'
import { bindingKey, conversationName } from '../../../lib/surfaces/fleet/names.js'
import { waitFor } from '../../support/wait-for.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { Sender } from './forged-sender.js'
import { context, TestFleet, timings } from './test-fleet.js'

endFleets()

const waiting = async ({ redis }: TestFleet, count: number): Promise<void> => {
  await waitFor(async () => (await redis.client.llen('{bw:w1}:exec:wait')) === count, {
    what: `${count} calls to wait`,
  })
}

fleetTest('a call that waits for longer than its client is patient is not given up', async () => {
  const fleet = await TestFleet.start({ args: ['--concurrency', '1'] })
  const bash = (await fleet.client({ timings: { ...timings, patienceMs: 100 } })).tool()
  const first = bash.execute({ command: fleet.waiting('a') }, context('c1'))
  await fleet.begun('a')
  let isAnswered = false
  const second = bash.execute({ command: fleet.noting('b') }, context('c2')).finally(() => {
    isAnswered = true
  })
  await waiting(fleet, 1)
  // Several looks, each of which finds it quiet.
  await waitFor(() => isAnswered, { what: '', deadlineMs: 3000 }).catch(() => {})
  expect(isAnswered).toBe(false)
  fleet.go('a')
  await first

  expect((await second).status).toBe('completed')
  expect(fleet.runs('b')).toBe(1)
})

fleetTest(
  'a call whose job Redis has lost is told so before its time is over, and cannot start',
  async () => {
    const fleet = await TestFleet.start({ args: ['--concurrency', '1'] })
    const bash = (await fleet.client({ timings: { ...timings, patienceMs: 100 } })).tool()
    const first = bash.execute({ command: fleet.waiting('a') }, context('c1'))
    await fleet.begun('a')
    const second = bash.execute({ command: fleet.noting('b') }, context('c2'))
    await waiting(fleet, 1)
    const redis = fleet.redis.client
    const [id = ''] = await redis.lrange('{bw:w1}:exec:wait', 0, -1)
    const job = await redis.hgetall(`{bw:w1}:exec:${id}`)
    await redis.del(`{bw:w1}:exec:${id}`)
    const result = await second
    // Should it come back, it is not started.
    await redis.hset(`{bw:w1}:exec:${id}`, job)
    fleet.go('a')
    await first
    await waiting(fleet, 0)
    await bash.execute({ command: 'true' }, context('c2'))

    expect(result.error?.code).toBe('ERR_NOT_STARTED')
    expect(fleet.runs('b')).toBe(0)
  },
)

describe('a call that runs is not given up', () => {
  const impatient = { ...timings, patienceMs: 100 }

  fleetTest('when its client asks about it while its worker drains', async () => {
    const fleet = await TestFleet.start({ workers: [] })
    const worker = await fleet.worker('w1')
    const client = await fleet.client({ timings: impatient })
    let isAnswered = false
    const running = client
      .tool()
      .execute({ command: fleet.waiting('a') }, context('c1'))
      .finally(() => {
        isAnswered = true
      })
    await fleet.begun('a')
    worker.kill('SIGTERM')
    await waitFor(async () => (await client.workers())[0]?.draining, { what: 'the worker to drain' })
    // Several looks, each of which asks.
    await waitFor(() => isAnswered, { what: '', deadlineMs: 2000 }).catch(() => {})
    fleet.go('a')

    expect(await running).toMatchObject({ status: 'completed', output: 'out\n' })
    expect(await worker.exited()).toBe(0)
  })

  fleetTest('when its worker has no room for a question about it', async () => {
    const fleet = await TestFleet.start()
    const redis = fleet.redis.client
    const bash = (await fleet.client({ timings: impatient })).tool()
    await bash.execute({ command: 'true' }, context('c1'))
    await redis.hset('{bw:w1}:ctl:meta', 'paused', 1)
    const running = bash.execute({ command: fleet.waiting('a') }, context('c1'))
    await fleet.begun('a')
    const asked = async () => await redis.get('{bw:w1}:ctl:id')
    await waitFor(async () => Number(await asked()) > 1, { what: 'a second question', deadlineMs: 40_000 })
    fleet.go('a')

    expect(await running).toMatchObject({ status: 'completed', output: 'out\n' })
  })
})

describe('a second client with the same call', () => {
  fleetTest('is not told that nothing ran when their worker is gone', async () => {
    const fleet = await TestFleet.start({ workers: [], args: ['--concurrency', '1'] })
    const worker = await fleet.worker('w1')
    const [one, two] = [await fleet.client(), await fleet.client()]
    const bash = one.tool()
    const running = bash.execute({ command: fleet.waiting('a') }, context('c1'))
    await fleet.begun('a')
    const call = context('c2')
    const command = fleet.noting('b')
    const first = bash.execute({ command }, call)
    await waiting(fleet, 1)
    const second = two.tool().execute({ command }, call)
    await waitFor(
      async () =>
        (await fleet.redis.client.xrevrange('{bw:w1}:exec:events', '+', '-')).flat(2).includes('duplicated'),
      { what: 'the second one to be there' },
    )
    worker.kill('SIGKILL')

    expect((await running).error?.code).toBe('ERR_WORKER_LOST')
    expect((await first).error?.code).toBe('ERR_NOT_STARTED')
    expect(['ERR_NO_ANSWER', 'ERR_WORKER_LOST']).toContain((await second).error?.code)
  })

  fleetTest('does not remove what the first one has sent', async () => {
    const fleet = await TestFleet.start({ workers: [], args: ['--concurrency', '1'] })
    const worker = await fleet.worker('w1')
    const [one, two] = [
      await fleet.client({ timings: { ...timings, watchMs: 60_000 } }),
      await fleet.client(),
    ]
    const running = one.tool().execute({ command: fleet.waiting('a') }, context('c1'))
    await fleet.begun('a')
    const call = context('c2')
    const command = fleet.noting('b')
    const first = one.tool().execute({ command }, call)
    await waiting(fleet, 1)
    worker.kill('SIGSTOP')
    const second = await two.tool().execute({ command }, call)
    worker.kill('SIGCONT')
    fleet.go('a')

    expect(['ERR_NO_ANSWER', 'ERR_WORKER_LOST', 'ERR_NO_WORKER']).toContain(second.error?.code)
    expect((await running).status).toBe('completed')
    expect((await first).status).toBe('completed')
    expect(fleet.runs('b')).toBe(1)
  })

  fleetTest('gets the result from the worker’s disk when Redis has only the job left', async () => {
    const fleet = await TestFleet.start()
    const [one, two] = [await fleet.client(), await fleet.client()]
    const call = context('c1')
    const command = fleet.noting('a')
    await one.tool().execute({ command }, call)
    const redis = fleet.redis.client
    await redis.del(...(await redis.keys('{bw:w1}:res:*')))
    const again = await two.tool().execute({ command }, call)

    expect(again).toMatchObject({ status: 'completed', output: 'out\n', replayed: true })
    expect(fleet.runs('a')).toBe(1)
  })

  fleetTest('runs it when the first one’s job has ended without a start', async () => {
    const fleet = await TestFleet.start({ args: ['--concurrency', '1'] })
    const [one, two] = [await fleet.client(), await fleet.client()]
    const running = one.tool().execute({ command: fleet.waiting('a') }, context('c1'))
    await fleet.begun('a')
    const call = context('c2')
    const command = fleet.noting('b')
    const first = one.tool().execute({ command }, call)
    await waiting(fleet, 1)
    // As BullMQ does with one whose process was lost.
    const redis = fleet.redis.client
    const [id = ''] = await redis.lrange('{bw:w1}:exec:wait', 0, -1)
    await redis
      .multi()
      .lrem('{bw:w1}:exec:wait', 1, id)
      .hset(`{bw:w1}:exec:${id}`, { ats: 1, finishedOn: Date.now(), failedReason: 'stalled' })
      .zadd('{bw:w1}:exec:failed', Date.now(), id)
      .exec()
    const again = two.tool().execute({ command }, call)
    fleet.go('a')
    await running
    const second = await again

    expect(second.status).toBe('completed')
    expect(fleet.runs('b')).toBe(1)
    expect(await first).toMatchObject({ status: 'completed' })
  })
})

fleetTest('everybody who waits for a call gets its result, and its sender as its own', async () => {
  const fleet = await TestFleet.start()
  const client = await fleet.client()
  const call = context('c1')
  const running = client.tool().execute({ command: fleet.waiting('a') }, call)
  await fleet.begun('a')
  const attached = Array.from({ length: 8 }, () => client.attach('c1', call.toolCallId))
  await waitFor(async () => (await fleet.redis.client.keys('{bw:w1}:claim:*')).length === 9, {
    what: 'all to wait',
  })
  // It reads a job, and happens to have the same id.
  const reading = client.suite().bashOutput.execute({ bash_id: 'ab12cd34' }, call)
  fleet.go('a')
  await reading
  const startedAt = performance.now()
  const [own, ...others] = await Promise.all([running, ...attached])

  expect(own).toMatchObject({ status: 'completed', output: 'out\n' })
  expect(own.replayed).toBeUndefined()
  expect(others.map((result) => [result?.output, result?.replayed])).toEqual(Array(8).fill(['out\n', true]))
  // By a message, and not by the looks of an impatient client.
  expect(performance.now() - startedAt).toBeLessThan(timings.patienceMs)
})

fleetTest('a client that has missed the end of a conversation is not kept from its new worker', async () => {
  const fleet = await TestFleet.start({ workers: ['w2'] })
  const worker = await fleet.worker('w1')
  const first = await fleet.client({ place: () => 'w1' })
  await first.tool().execute({ command: 'true' }, context('c1'))
  await first.tool().execute({ command: 'true' }, context('c2'))
  worker.kill('SIGKILL')
  await worker.exited()
  await fleet.redis.client.del('{bw:w1}:node')
  const second = await fleet.client({ place: () => 'w2' })
  for (const name of ['c1', 'c2']) {
    await second.release(name, { abandon: true })
    await second.tool().execute({ command: 'true' }, context(name))
  }
  const missed = await first.tool().execute({ command: 'true' }, context('c1'))
  const next = await first.tool().execute({ command: 'true' }, context('c1'))
  const released = await first.release('c2', { abandon: true })
  const binding = bindingKey(conversationName(undefined, 'c2'))

  expect(missed.error?.code).toBe('ERR_NO_WORKER')
  expect(next).toMatchObject({ status: 'completed', fleet: { worker: 'w2' } })
  expect([released, await fleet.redis.client.hget(binding, 'worker')]).toEqual([true, ''])
})

fleetTest('a command that was refused stays so, whoever sends its bytes again', async () => {
  const sender = await Sender.of(await TestFleet.start())
  const { fleet } = sender
  const redis = fleet.redis.client
  const flag = `{bw:w1}:cancel:${sender.idOf()}`
  const { sending } = sender.request
  await redis.set(flag, sending)
  const first = await sender.send(sender.signed())
  await redis.del(flag, `{bw:w1}:ans:${sending}`)
  const { port, password } = fleet.redis
  const queue = new Queue('exec', { connection: { host: '127.0.0.1', port, password }, prefix: '{bw:w1}' })
  await queue.add(sending, sender.signed(), { jobId: sender.idOf() })
  const next = await (await fleet.client()).tool().execute({ command: 'echo next' }, context('c1'))
  await waitFor(async () => (await redis.exists(`{bw:w1}:exec:${sender.idOf()}`)) === 0, {
    what: 'it to be done with',
  })
  await queue.close()

  expect([first, next.output]).toEqual(['ERR_CANCELLED', 'next\n'])
  expect(fleet.runs('forged')).toBe(0)
})
