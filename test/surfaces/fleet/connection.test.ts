// Connections of clients that fail: while a call is put into the queue, and without a word.
import { waitFor } from '../../support/wait-for.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { RedisProxy } from './redis-proxy.js'
import { context, TestFleet } from './test-fleet.js'

endFleets()

const proxies: RedisProxy[] = []
afterEach(async () => await Promise.all(proxies.splice(0).map((proxy) => proxy.stop())))

const start = async () => {
  const fleet = await TestFleet.start()
  const proxy = await RedisProxy.start(fleet.redis.port)
  proxies.push(proxy)
  const { connection } = fleet.clientOptions
  const client = await fleet.client({ connection: { ...connection, port: proxy.port } })
  return { fleet, proxy, client, bash: client.tool() }
}

fleetTest('a call that was put into the queue is not given up when the look after it fails', async () => {
  const { fleet, proxy, bash } = await start()
  await bash.execute({ command: 'true' }, context('c1'))
  proxy.refuse('hget')
  const result = await bash.execute({ command: fleet.noting('a') }, context('c1'))

  expect(result).toMatchObject({ status: 'completed', output: 'out\n' })
  expect(fleet.runs('a')).toBe(1)
})

fleetTest('one that waits there is found again, and runs', async () => {
  const { fleet, proxy, bash } = await start()
  await fleet.redis.client.hset('{bw:w1}:exec:meta', 'concurrency', 1)
  const first = bash.execute({ command: fleet.waiting('a') }, context('c1'))
  await fleet.begun('a')
  proxy.refuse('hget')
  const second = bash.execute({ command: fleet.noting('b') }, context('c2'))
  await waitFor(async () => (await fleet.redis.client.llen('{bw:w1}:exec:wait')) === 1, {
    what: 'it to wait',
  })
  proxy.refuse(undefined)
  fleet.go('a')

  expect((await first).status).toBe('completed')
  expect((await second).status).toBe('completed')
  expect(fleet.runs('b')).toBe(1)
})

fleetTest('a connection that says nothing any more is given up, and the call goes on', async () => {
  const { fleet, proxy, bash } = await start()
  const running = bash.execute({ command: fleet.waiting('a') }, context('c1'))
  await fleet.begun('a')
  proxy.freeze()
  fleet.go('a')

  expect(await running).toMatchObject({ status: 'completed', output: 'out\n' })
  expect(fleet.runs('a')).toBe(1)
})

fleetTest('one that Redis has refused did not start', async () => {
  const { fleet, proxy, bash } = await start()
  await bash.execute({ command: 'true' }, context('c1'))
  await fleet.redis.client.set('{bw:w1}:exec:id', 'no number')
  const result = await bash.execute({ command: fleet.noting('a') }, context('c1'))
  await fleet.redis.client.del('{bw:w1}:exec:id')
  const next = await bash.execute({ command: 'true' }, context('c1'))
  proxy.refuse(undefined)

  expect(result.error?.code).toBe('ERR_NOT_STARTED')
  expect(next.status).toBe('completed')
  expect(fleet.runs('a')).toBe(0)
})
