// A Redis that has forgotten everything, seen by processes that know no more than it: conversations stay where they are.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bindingKey, conversationName } from '../../../lib/surfaces/fleet/names.js'
import { waitFor } from '../../support/wait-for.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { context, TestFleet } from './test-fleet.js'

endFleets()

const names = Array.from({ length: 8 }, (_, index) => `c${index}`)

/** Two workers, with conversations that are all on the first. Who chooses next would choose the second. */
const placed = async (aof = false) => {
  const fleet = await TestFleet.start({ workers: ['w2'], aof })
  const worker = await fleet.worker('w1')
  const first = await fleet.client({ place: () => 'w1' })
  const calls = names.map((name) => ({
    call: context(name),
    command: fleet.noting(name, 'touch file; echo out'),
  }))
  for (const { call, command } of calls) await first.tool().execute({ command }, call)
  return { fleet, worker, first, calls }
}

describe.each(['forgotten by FLUSHALL', 'killed and started'])('Redis, %s', (how) => {
  fleetTest('is told again which worker has a conversation, and no call runs a second time', async () => {
    const { fleet, first, calls } = await placed()
    await first.close()
    if (how.startsWith('killed')) {
      await fleet.redis.kill()
      await fleet.redis.start()
    } else await fleet.redis.client.flushall()
    const second = await fleet.client({ place: () => 'w2' })
    const results = await Promise.all(
      calls.map(async ({ call, command }) => await second.tool().execute({ command }, call)),
    )
    const next = await second.tool().execute({ command: 'ls' }, context('c0'))
    const fresh = await second.tool().execute({ command: 'ls' }, context('new'))
    const redis = fleet.redis.client
    const keys = names.map((name) => bindingKey(conversationName(undefined, name)))
    const disks = await Promise.all(keys.map(async (key) => await redis.hget(key, 'disk')))

    expect(results.map(({ output, replayed }) => [output, replayed])).toEqual(
      names.map(() => ['out\n', true]),
    )
    expect(names.map((name) => fleet.runs(name))).toEqual(names.map(() => 1))
    expect(disks).toEqual(names.map(() => readFileSync(join(fleet.state('w1'), 'id'), 'utf8')))
    expect(next).toMatchObject({ output: 'file\n', fleet: { worker: 'w1' } })
    expect(fresh).toMatchObject({ output: '', fleet: { worker: 'w2' } })
  })
})

fleetTest('a worker that starts tells Redis what it has before anybody can see it', async () => {
  const { fleet, worker, first, calls } = await placed()
  await first.close()
  worker.kill('SIGKILL')
  await worker.exited()
  await fleet.redis.client.flushall()
  await fleet.redis.beOld()
  await fleet.worker('w1')
  const second = await fleet.client({ place: () => 'w2' })
  const [{ call, command }] = calls as [(typeof calls)[number]]

  expect(await second.tool().execute({ command }, call)).toMatchObject({ output: 'out\n', replayed: true })
  expect(fleet.runs('c0')).toBe(1)
})

fleetTest('what was given to another worker while one was away stays there, and is lost to it', async () => {
  const { fleet, worker, first } = await placed()
  await first.close()
  worker.kill('SIGKILL')
  await worker.exited()
  await fleet.redis.client.flushall()
  await fleet.redis.beOld()
  const second = await fleet.client({ place: () => 'w2' })
  const bash = second.tool()
  await waitFor(async () => (await second.workers()).length === 1, { what: 'w2 to be back' })
  const elsewhere = await bash.execute({ command: 'ls; touch other' }, context('c0'))
  await fleet.worker('w1')
  await fleet.redis.client.flushall()
  // Nobody claims it but w2.
  const [c0, c1] = await Promise.all(
    ['c0', 'c1'].map(async (name) => {
      const third = await fleet.client({ place: () => 'w2' })
      return await third.tool().execute({ command: 'ls' }, context(name))
    }),
  )

  expect(elsewhere).toMatchObject({ output: '', fleet: { worker: 'w2' } })
  expect(c0).toMatchObject({ output: 'other\n', fleet: { worker: 'w2' } })
  expect(c1).toMatchObject({ output: 'file\n', fleet: { worker: 'w1' } })
})

fleetTest('a Redis that has lost some bindings is told again when the connection is', async () => {
  const { fleet, first } = await placed(true)
  await first.close()
  // As a replica that took its place before it had heard of them.
  await fleet.redis.client.del(await fleet.redis.client.keys('bw:conv:*'))
  await fleet.redis.kill('SIGTERM')
  await fleet.redis.start()

  await waitFor(async () => (await fleet.redis.client.keys('bw:conv:*')).length === names.length, {
    what: 'all to be there again',
  })
})
