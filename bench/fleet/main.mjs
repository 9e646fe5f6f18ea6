// What a call costs when another machine runs it: local, over bare HTTP, over NATS, and through a fleet, one after the other
// on this machine. Absolute times are those of a machine that does all of it at once: compare within one run.
//
//   npm run build && node bench/fleet/main.mjs [--calls 300] [--workers 8 --conversations 500]
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BashSession, createBashTool } from 'bashward'
import { createFleet } from 'bashward/fleet'
import { delay, RedisMachine, WorkerMachine } from '../../test/surfaces/fleet/chaos/machines.mjs'
import { httpPeer, natsPeer } from './peers.mjs'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '300' },
    workers: { type: 'string', default: '8' },
    conversations: { type: 'string', default: '500' },
  },
})
const calls = Number(values.calls)
const command = 'echo hi'

const directory = mkdtempSync(join(tmpdir(), 'bashward-bench-'))
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const keyFile = join(directory, 'accept.pem')
writeFileSync(keyFile, publicKey.export({ format: 'pem', type: 'spki' }))
const redis = new RedisMachine(directory, false)
await redis.start()
const workers = Array.from({ length: Number(values.workers) }, (_, index) => {
  // Far from its limits a heartbeat is not late for so long.
  return new WorkerMachine(`w${index + 1}`, directory, redis, keyFile, ['--ttl', '60'])
})
workers[0].start()
const fleet = await createFleet({
  connection: { host: '127.0.0.1', port: redis.port, password: redis.password },
  signingKey: privateKey,
  limits: { perTenant: 100_000, queueMs: 600_000 },
})
const there = async (count) => {
  while ((await fleet.workers()).length < count) await delay(50)
}
await there(1)

const quantile = (times, part) => times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)]
const ms = (value) => `${value.toFixed(1)} ms`
const mib = (bytes) => `${Math.round(bytes / 1024 / 1024)} MiB`

/** So many at a time. */
async function load(count, width, one) {
  const times = []
  let next = 0
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: width }, async (_, lane) => {
      while (next < count) {
        next += 1
        const since = performance.now()
        await one(lane)
        times.push(performance.now() - since)
      }
    }),
  )
  return { times, perSecond: (count / (performance.now() - startedAt)) * 1000 }
}

async function redisFigures() {
  const text = await redis.info()
  const of = (name) => Number(new RegExp(`^${name}:(.*)\\r?$`, 'm').exec(text)?.[1])
  return { cpu: of('used_cpu_user') + of('used_cpu_sys'), commands: of('total_commands_processed') }
}

const rss = (pid) => {
  const pages = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0)
  return pages * 1024
}

let serial = 0
const context = (conversationId) => {
  serial += 1
  return { conversationId, toolCallId: `call ${serial}` }
}
const local = createBashTool()
const remote = fleet.tool()
const expectDone = ({ status, error }) => {
  if (status !== 'completed') throw new Error(`${status} ${error?.code} ${error?.message}`)
}
const ways = new Map([
  ['local', async () => expectDone(await local.execute({ command }, { workingDir: '/tmp' }))],
  ['fleet', async (lane) => expectDone(await remote.execute({ command }, context(`c${lane}`)))],
])
const peers = [await httpPeer(), await natsPeer()].filter((peer) => peer !== undefined)
for (const { name, call } of peers) ways.set(name, async () => expectDone(await call(command)))

console.log('\necho hi | at a time | p50 | p99 | a second | CPU of Redis, commands of Redis for each')
for (const width of [1, 64]) {
  for (const [name, one] of ways) {
    await load(width, width, one)
    const before = await redisFigures()
    const { times, perSecond } = await load(calls * (width === 1 ? 1 : 4), width, one)
    const after = await redisFigures()
    const cpu = ((after.cpu - before.cpu) / times.length) * 1000
    const commands = (after.commands - before.commands) / times.length
    const ofRedis = name === 'fleet' ? `${cpu.toFixed(2)} ms, ${Math.round(commands)}` : ''
    const row = [
      name,
      width,
      ms(quantile(times, 0.5)),
      ms(quantile(times, 0.99)),
      Math.round(perSecond),
      ofRedis,
    ]
    console.log(row.join(' | '))
  }
}
for (const { stop } of peers) await stop()

console.log('\ncancel, from the abort to the result | p50 | p99')
const cancelled = async (start) => {
  const cancel = new AbortController()
  let begun
  const running = new Promise((resolve) => {
    begun = resolve
  })
  const result = start(cancel.signal, (event) => event.type === 'output' && begun())
  await running
  const since = performance.now()
  cancel.abort()
  const { status } = await result
  if (status !== 'cancelled') throw new Error(status)
  return performance.now() - since
}
const waiting = { command: 'echo begun; sleep 60' }
for (const [name, start] of [
  ['local', (cancel, onEvent) => local.execute(waiting, { workingDir: '/tmp', cancel, onEvent })],
  ['fleet', (cancel, onEvent) => remote.execute(waiting, { ...context('c0'), cancel, onEvent })],
]) {
  const times = []
  for (let count = 0; count < 50; count += 1) times.push(await cancelled(start))
  console.log([name, ms(quantile(times, 0.5)), ms(quantile(times, 0.99))].join(' | '))
}

console.log(
  '\noutput, watched | time | shown | dropped | sum is exact | RSS of worker, Redis, client: before, at most',
)
for (const [name, size] of [
  ['10 MB', 10_000_000],
  ['1 GB', 1_000_000_000],
]) {
  const seen = { shown: 0, dropped: 0 }
  const pids = [workers[0].pid, redis.pid, process.pid]
  const before = pids.map(rss)
  const peak = [...before]
  const look = setInterval(() => {
    for (const [index, pid] of pids.entries()) peak[index] = Math.max(peak[index], rss(pid))
  }, 50)
  const since = performance.now()
  const result = await remote.execute(
    { command: `head -c ${size} /dev/zero | tr '\\0' x` },
    {
      ...context('c0'),
      onEvent(event) {
        if (event.type !== 'output') return
        seen.shown += Buffer.byteLength(event.text)
        seen.dropped += event.dropped
      },
    },
  )
  clearInterval(look)
  expectDone(result)
  const isExact = seen.shown + seen.dropped === result.outputBytes
  const memory = `${before.map(mib).join(', ')}: ${peak.map(mib).join(', ')}`
  console.log([name, ms(performance.now() - since), seen.shown, seen.dropped, isExact, memory].join(' | '))
}

const conversations = Number(values.conversations)
console.log(
  `\n${workers.length} workers, ${conversations} conversations with sessions on each, 2 calls of each`,
)
for (const worker of workers.slice(1)) worker.start()
await there(workers.length)
const spread = await createFleet({
  connection: { host: '127.0.0.1', port: redis.port, password: redis.password },
  signingKey: privateKey,
  place: ({ conversationId }) => `w${(Number(conversationId.slice(1)) % workers.length) + 1}`,
  limits: { perTenant: 100_000, queueMs: 600_000 },
})
const shell = spread.tool({ session: true })
const names = Array.from({ length: workers.length * conversations }, (_, index) => `s${index}`)
let mixed = 0
const since = performance.now()
let at = 0
await Promise.all(
  Array.from({ length: 400 }, async () => {
    while (at < names.length) {
      const name = names[at++]
      for (const expected of ['1', '2']) {
        const count = { command: `own=${'$'}{own-${name}}; count=$((count+1)); echo "$own $count"` }
        const result = await shell.execute(count, context(name))
        expectDone(result)
        if (result.output !== `${name} ${expected}\n`) mixed += 1
      }
    }
  }),
)
const perSecond = ((names.length * 2) / (performance.now() - since)) * 1000
console.log(`${names.length * 2} calls, ${Math.round(perSecond)} a second, sessions mixed up: ${mixed}`)
await spread.close()

const sessions = Array.from({ length: 400 }, () => new BashSession({ workingDir: '/tmp' }))
const alone = await load(2000, 400, async (lane) => {
  expectDone(
    await local.execute({ command: 'x=$((x+1)); echo $x' }, { workingDir: '/tmp', session: sessions[lane] }),
  )
})
console.log(`local, one process, 400 sessions: ${Math.round(alone.perSecond)} a second`)

await fleet.close()
for (const worker of workers) await worker.kill()
await redis.kill()
rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
