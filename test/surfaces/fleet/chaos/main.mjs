// Workers and Redis are killed at random moments while calls are made: none may run twice, none be reported as completed that
// has not run, none as not started that has, and each has to have an answer.
//
//   node test/surfaces/fleet/chaos/main.mjs --minutes 10 [--seed N] [--redis keeps|forgets|both]
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createFleet } from 'bashward/fleet'
import { Calls } from './calls.mjs'
import { delay, RedisMachine, WorkerMachine } from './machines.mjs'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    redis: { type: 'string', default: 'both' },
  },
})
const kinds = values.redis === 'both' ? ['keeps', 'forgets'] : [values.redis]
const runMs = (Number(values.minutes) * 60_000) / kinds.length
const conversations = 40
const clients = 2

/** mulberry32: the same kills for the same seed, as far as time allows. */
function randomOf(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = state
    value = Math.imul(value ^ (value >>> 15), value | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296
  }
}

async function run(kind) {
  const random = randomOf(Number(values.seed))
  const directory = mkdtempSync(join(tmpdir(), 'bashward-chaos-'))
  const runs = join(directory, 'runs')
  mkdirSync(runs)
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const keyFile = join(directory, 'accept.pem')
  writeFileSync(keyFile, publicKey.export({ format: 'pem', type: 'spki' }))
  const redis = new RedisMachine(directory, kind === 'keeps')
  await redis.start()
  const names = ['w1', 'w2']
  const workers = names.map((name) => new WorkerMachine(name, directory, redis, keyFile))
  for (const worker of workers) worker.start()
  const fleets = await Promise.all(
    Array.from({ length: clients }, () =>
      createFleet({
        connection: { host: '127.0.0.1', port: redis.port, password: redis.password },
        signingKey: privateKey,
        // A host that has a table of its own.
        place: ({ conversationId }) => names[Number(conversationId.slice(1)) % names.length],
        limits: { queueMs: 10_000, perTenant: 1000 },
        timings: { beatMs: 500, aliveMs: 4000, watchMs: 200, patienceMs: 5000 },
      }),
    ),
  )
  const calls = new Calls(runs, random)
  const kills = { workers: 0, frozen: 0, redis: 0 }
  const end = Date.now() + runMs
  const isOver = () => Date.now() > end

  const callers = Array.from({ length: conversations }, async (_, index) => {
    const tool = fleets[index % clients].tool({ session: index % 4 === 0 })
    while (!isOver()) {
      await calls.make(tool, `c${index}`)
      await delay(random() * 300)
    }
  })
  const workerKiller = (async () => {
    while (!isOver()) {
      await delay(1000 + random() * 5000)
      const worker = workers[Math.floor(random() * workers.length)]
      if (random() < 0.2) {
        kills.frozen += 1
        worker.signal('SIGSTOP')
        await delay(1000 + random() * 5000)
        worker.signal('SIGCONT')
        continue
      }
      kills.workers += 1
      await worker.kill()
      await delay(random() < 0.5 ? 0 : random() * 6000)
      worker.start()
    }
  })()
  const redisKiller = (async () => {
    while (!isOver()) {
      await delay(8000 + random() * 12_000)
      kills.redis += 1
      await redis.kill()
      await delay(random() * 2500)
      await redis.start()
    }
  })()
  await Promise.all([...callers, workerKiller, redisKiller])
  await Promise.all(fleets.map((fleet) => fleet.close()))
  for (const worker of workers) await worker.kill()
  await redis.kill()
  // What was killed with its worker is gone by now, or nearly so.
  await delay(1000)
  calls.check()
  const { violations, total, outcomes } = calls
  const counts = Object.fromEntries(Object.entries(violations).map(([name, list]) => [name, list.length]))
  console.log(
    JSON.stringify({ redis: kind, seed: Number(values.seed), calls: total, kills, ...counts, outcomes }),
  )
  const isGood = Object.values(violations).every((list) => list.length === 0)
  if (isGood) rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  else console.log(JSON.stringify({ violations, directory }))
  return isGood
}

let isGood = true
for (const kind of kinds) isGood = (await run(kind)) && isGood
process.exit(isGood ? 0 : 1)
