// How many calls there may be, how long they may wait, and how large they may be.

import { waitFor } from '../../support/wait-for.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { context, TestFleet } from './test-fleet.js'

endFleets()

fleetTest('a call that waits too long is answered in time, and never runs', async () => {
  const fleet = await TestFleet.start({ args: ['--concurrency', '1'] })
  const bash = (await fleet.client()).tool()
  const hasty = (await fleet.client({ limits: { queueMs: 300 } })).tool()
  const running = bash.execute({ command: fleet.waiting('a') }, context('c1'))
  await fleet.begun('a')
  const [inQueue, inTurn] = await Promise.all([
    hasty.execute({ command: fleet.noting('b') }, context('c2')),
    hasty.execute({ command: fleet.noting('c') }, context('c1')),
  ])
  fleet.go('a')
  await running
  await bash.execute({ command: 'true' }, context('c2'))

  expect(inQueue.error?.code).toBe('ERR_DEADLINE')
  expect(inTurn.error?.code).toBe('ERR_DEADLINE')
  expect(['a', 'b', 'c'].map((id) => fleet.runs(id))).toEqual([1, 0, 0])
})

fleetTest('the time that a call may wait begins when it is made, not when its worker is known', async () => {
  const fleet = await TestFleet.start({ args: ['--concurrency', '1'] })
  const redis = fleet.redis.client
  const seconds = async () => Number((await redis.time())[0])
  const bash = (await fleet.client()).tool()
  const running = bash.execute({ command: fleet.waiting('a') }, context('c1'))
  await fleet.begun('a')
  const since = await seconds()
  const client = await fleet.client({
    limits: { queueMs: 60_000 },
    place: async () => {
      await waitFor(async () => (await seconds()) - since > 5, { what: 'some seconds to pass' })
      return 'w1'
    },
  })
  const cancel = new AbortController()
  const waiting = client.tool().execute({ command: 'true' }, context('c2', { cancel: cancel.signal }))
  const id = await waitFor(async () => (await redis.lrange('{bw:w1}:exec:wait', 0, -1))[0], {
    what: 'it to wait',
    deadlineMs: 30_000,
  })
  const signed = JSON.parse((await redis.hget(`{bw:w1}:exec:${id}`, 'data')) ?? '{}')
  cancel.abort()
  fleet.go('a')
  await Promise.all([running, waiting])

  expect(JSON.parse(signed.body).notAfter / 1000 - since).toBeLessThan(60 + 4)
})

fleetTest('a tenant has so many calls in all clients together, and not one more', async () => {
  const fleet = await TestFleet.start()
  const clients = await Promise.all(
    [1, 2].map(() => fleet.client({ limits: { perTenant: 6 }, timings: { beatMs: 200, aliveMs: 60_000 } })),
  )
  const results = Array.from({ length: 20 }, async (_, index) => {
    const bash = clients[index % 2]?.tool({ tenant: 't' })
    return await bash?.execute({ command: fleet.waiting('a') }, context(`c${index}`))
  })
  await waitFor(() => fleet.runs('a') === 6, { what: 'six to run' })
  const other = await clients[0]?.tool({ tenant: 'u' }).execute({ command: 'true' }, context('c1'))
  fleet.go('a')
  const codes = (await Promise.all(results)).map((result) => result?.error?.code ?? result?.status)

  expect(codes.filter((code) => code === 'completed')).toHaveLength(6)
  expect(codes.filter((code) => code === 'ERR_BUSY')).toHaveLength(14)
  expect(other?.status).toBe('completed')
  expect(fleet.runs('a')).toBe(6)
})

fleetTest('a client that is gone gives the places of its tenants back', async () => {
  const fleet = await TestFleet.start()
  const key = async () => await fleet.redis.client.keys('bw:tenant:*')
  const one = await fleet.client({ limits: { perTenant: 1 } })
  const running = one.tool().execute({ command: fleet.waiting('a') }, context('c1'))
  await fleet.begun('a')
  // As if it had been killed: nobody renews its lease.
  const [leases = ''] = await key()
  const two = await fleet.client({ limits: { perTenant: 1 } })
  const busy = await two.tool().execute({ command: 'true' }, context('c2'))
  const [lease = ''] = await fleet.redis.client.zrange(leases, '0', '0')
  await fleet.redis.client.call('ZADD', [leases, 'XX', '1', lease])
  const free = await two.tool().execute({ command: 'true' }, context('c3'))
  fleet.go('a')
  await running

  expect(busy.error?.code).toBe('ERR_BUSY')
  expect(free.status).toBe('completed')
  expect(await waitFor(async () => (await key()).length === 0, { what: 'no lease to be left' })).toBe(true)
})

fleetTest('a conversation runs one call, and eight may wait', async () => {
  const fleet = await TestFleet.start()
  const bash = (await fleet.client()).tool()
  const first = bash.execute({ command: fleet.waiting('a') }, context('c1'))
  await fleet.begun('a')
  const results = Array.from({ length: 12 }, () =>
    bash.execute({ command: fleet.noting('b') }, context('c1')),
  )
  const refused = await Promise.race([
    Promise.any(results),
    waitFor(() => false, { what: '', deadlineMs: 5000 }).catch(() => undefined),
  ])
  expect(refused).toMatchObject({ error: { code: 'ERR_BUSY' } })
  expect(fleet.runs('b')).toBe(0)
  fleet.go('a')
  await first
  const codes = (await Promise.all(results)).map(({ error, status }) => error?.code ?? status)

  expect(codes.filter((code) => code === 'completed')).toHaveLength(8)
  expect(codes.filter((code) => code === 'ERR_BUSY')).toHaveLength(4)
})

fleetTest('a command of more than 256 KiB is refused, and one that is just as large runs', async () => {
  const fleet = await TestFleet.start()
  const bash = (await fleet.client()).tool()
  // As JSON with its field and quotes.
  const fitting = `: ${'x'.repeat(256 * 1024 - '{"command":": "}'.length)}`
  const [fits, tooLarge] = [
    await bash.execute({ command: fitting }, context('c1')),
    await bash.execute({ command: `${fitting}x` }, context('c1')),
  ]

  expect(fits.status).toBe('completed')
  expect(tooLarge.error).toMatchObject({
    code: 'ERR_TOO_LARGE',
    message: expect.stringContaining('has 262145 bytes, and 262144 are allowed'),
  })
})

fleetTest('signs of life that are too far apart are refused', async () => {
  const fleet = await TestFleet.start({ workers: [] })

  for (const timings of [{ beatMs: 2000, aliveMs: 3999 }, { beatMs: 3001 }]) {
    await expect(fleet.client({ timings })).rejects.toMatchObject({
      code: 'ERR_INVALID_INPUT',
      message: expect.stringMatching(/^options.timings.aliveMs: must be at least twice timings.beatMs/),
    })
  }
})
