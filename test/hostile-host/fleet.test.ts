// A fleet whose worker and whose client live where a command has planted what it could.
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cannotTest } from '../support/must-work.js'
import { removeTempDirs } from '../support/temp-dir.js'
import { waitFor } from '../support/wait-for.js'
import { noRedis, RedisServer } from '../surfaces/fleet/redis-server.js'
import { servers } from './cli-table.js'
import { type During, type FullPassage, harmless, passThrough, testTraced } from './passage.js'
import { entriesOf, hostWords } from './tables.js'
import { hostileWorld, type World } from './world.js'

let world: World
let redis: RedisServer
const keys = generateKeyPairSync('ed25519')
const missing = noRedis()

beforeAll(async () => {
  if (missing !== undefined) return
  world = await hostileWorld()
  redis = await new RedisServer().start()
  writeFileSync(join(world.app, 'accept.pem'), keys.publicKey.export({ format: 'pem', type: 'spki' }))
})

afterAll(async () => {
  await redis?.stop()
  removeTempDirs()
})

const testFleet = (name: string, body: () => Promise<void>): void =>
  testTraced(name, async () => {
    if (missing !== undefined) return cannotTest(missing)
    await body()
  })

const words = (name: keyof typeof servers): string[] => [
  process.execPath,
  join(world.package, 'dist/cli/bin.js'),
  ...(servers[name]?.(world) ?? []).map((word) => (word === 'REDIS' ? redis.url : word)),
]

/** A worker, with what happens while it is there. */
const worker = (name: keyof typeof servers, during: () => Promise<void>): Promise<FullPassage> =>
  passThrough(world, words(name), {
    input: 'open',
    descriptors: [redis.password, '7'.repeat(64)],
    during: async ({ stdout, pid }: During) => {
      await waitFor(() => stdout().includes('ready'), { what: 'the worker to be ready', deadlineMs: 20_000 })
      await during()
      process.kill(await pid(), 'SIGTERM')
    },
  })

for (const entry of entriesOf('fleet')) {
  testFleet(`${entry}, and bashward worker`, async () => {
    const signingKey = keys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    const fleet = {
      connection: { host: '127.0.0.1', port: redis.port, password: redis.password },
      signingKey,
    }
    let client: FullPassage | undefined
    const passage = await worker('worker', async () => {
      client = await passThrough(world, hostWords(world, 'fleet', entry, { fleet }))
    })

    expect(client).toMatchObject({ end: 0, ...harmless })
    expect(passage).toMatchObject({ end: 0, ...harmless })
  })
}

testFleet('bashward worker in Restricted mode, and bashward worker status', async () => {
  let status: FullPassage | undefined
  const passage = await worker('restrictedWorker', async () => {
    status = await passThrough(world, words('status'), { descriptors: [redis.password] })
  })

  expect(status).toMatchObject({ end: 0, ...harmless })
  expect(passage).toMatchObject({ end: 0, ...harmless })
})
