// The names of workers in Redis.
import { waitFor } from '../../support/wait-for.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { TestFleet } from './test-fleet.js'

endFleets()

const day = 24 * 3_600_000

fleetTest('a worker that has not been there for a week is forgotten, and others are not', async () => {
  const fleet = await TestFleet.start()
  const redis = fleet.redis.client
  await redis.sadd('bw:nodes', 'old', 'away', 'new')
  const days = (count: number) => String(Date.now() - count * day)
  await redis.hset('{bw:nodes}:missing', { old: days(8), away: days(6), w1: days(8) })
  await fleet.client()
  await waitFor(async () => (await redis.sismember('bw:nodes', 'old')) === 0, { what: 'it to be forgotten' })

  expect((await redis.smembers('bw:nodes')).sort()).toEqual(['away', 'new', 'w1'])
  expect((await redis.hkeys('{bw:nodes}:missing')).sort()).toEqual(['away', 'new'])
})
