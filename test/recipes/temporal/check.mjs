// Workers of docs/temporal.md against a scripted server: killed, cut off, cancelled, on a full disk. Each command notes its
// runs in a file.
import assert from 'node:assert'
import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ScriptedServer } from './server.mjs'

const here = process.cwd()
const calls = join(here, 'calls')
const project = join(here, 'project')
const runsFile = join(here, 'runs')
const marker = `300.${process.pid}`
const command = `echo run >> ${runsFile}; `

writeFileSync(join(here, 'key'), Buffer.alloc(32, 7))
const runs = () => (existsSync(runsFile) ? readFileSync(runsFile, 'utf8').split('\n').length - 1 : 0)
const isSleeping = () =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n').includes(`sleep ${marker}`)

const until = async (condition, what) => {
  const deadline = Date.now() + 60_000
  while (!(await condition())) {
    assert(Date.now() < deadline, `waited for ${what}`)
    await delay(50)
  }
}

const workers = new Set()
/** @param prefix words before its program */
const startWorker = (address, { machine = 'this', prefix = [] } = {}) => {
  const [program, ...args] = [...prefix, process.execPath, 'worker.js']
  const env = { ...process.env, TEMPORAL_ADDRESS: address, MACHINE: machine }
  const key = openSync(join(here, 'key'))
  const worker = spawn(program, args, { cwd: here, env, stdio: ['ignore', 'ignore', 'pipe', key] })
  closeSync(key)
  let log = ''
  worker.stderr.on('data', (chunk) => {
    log += chunk
  })
  worker.log = () => log
  worker.ended = new Promise((resolve) => worker.on('exit', resolve))
  workers.add(worker)
  return worker
}
const kill = async (worker, signal = 'SIGKILL') => {
  worker.kill(signal)
  await worker.ended
  workers.delete(worker)
}

const scenario = async (name, commands, act) => {
  for (const path of [calls, project, runsFile, join(here, 'sessions')])
    rmSync(path, { recursive: true, force: true })
  mkdirSync(calls, { mode: 0o700 })
  mkdirSync(project)
  const server = new ScriptedServer()
  const address = await server.listen()
  try {
    const texts = server.start('agent', commands, 'conversation 42')
    texts.catch(() => {})
    await act({ server, texts, start: (options) => startWorker(address, options) })
    console.log(`  ok  ${name}`)
  } catch (error) {
    for (const worker of workers) console.error(worker.log())
    throw error
  } finally {
    for (const worker of workers) await kill(worker)
    server.close()
  }
}

await scenario('a command', [`${command}pwd`, 'exit 3'], async ({ server, texts, start }) => {
  const worker = start()
  assert.deepEqual(await texts, [`${project}\n`, '[command failed: exit code 3]\n'])
  assert.deepEqual(
    server.ends.map(({ type, attempt, how }) => `${type} ${attempt} ${how}`),
    ['findMachine 1 COMPLETED', 'bash 1 COMPLETED', 'bash 1 COMPLETED'],
  )
  await kill(worker, 'SIGTERM')
})

await scenario(
  'a worker killed in the middle: it ran once',
  [`${command}sleep ${marker}`],
  async ({ server, texts, start }) => {
    const worker = start()
    await until(isSleeping, 'the command')
    await kill(worker)
    await until(() => !isSleeping(), 'the end of the command')
    start()
    const [text] = await texts
    assert.match(
      text,
      /^\[system error: .*It has run, in part or whole, and its output is lost; look before you repeat it\]$/,
    )
    assert(server.ends.at(-1).attempt > 1)
    assert.equal(runs(), 1)
  },
)

await scenario(
  'a worker killed with a result that nobody has heard: it is given again',
  [`${command}echo done`],
  async ({ server, texts, start }) => {
    server.isCut = true
    const worker = start()
    await until(
      () => readdirSync(calls).some((file) => statSync(join(calls, file)).size > 1024),
      'the result',
    )
    await kill(worker)
    server.isCut = false
    start()
    assert.deepEqual(await texts, ['done\n'])
    assert(server.ends.at(-1).attempt > 1)
    assert.equal(runs(), 1)
  },
)

await scenario(
  'heartbeats that do not arrive: the next attempt does not run it again',
  [`${command}sleep ${marker}`],
  async ({ server, texts, start }) => {
    start()
    await until(() => server.heartbeats > 0, 'a heartbeat')
    server.isCut = true
    await until(() => server.sent > 2, 'the next attempt')
    server.isCut = false
    assert.deepEqual(await texts, ['[command cancelled]\n'])
    assert.deepEqual(server.ends.at(-1), { type: 'bash', id: '2', attempt: 2, how: 'COMPLETED' })
    assert.equal(runs(), 1)
  },
)

await scenario(
  'a workflow that is cancelled: the command is killed',
  [`${command}setsid -f sleep ${marker}; sleep ${marker}`],
  async ({ server, texts, start }) => {
    start()
    await until(isSleeping, 'the command')
    server.cancel()
    assert.equal(await texts, 'cancelled')
    assert(!isSleeping(), 'the command is still there')
    assert.equal(server.ends.at(-1).how, 'CANCELED')
    assert.equal(runs(), 1)
  },
)

await scenario('no worker comes back', [`${command}sleep ${marker}`], async ({ server, texts, start }) => {
  const worker = start()
  await until(isSleeping, 'the command')
  await kill(worker)
  await until(() => server.sent > 2, 'the next attempt')
  start({ machine: 'another' })
  server.expire()
  const [text] = await texts
  assert.match(text, /^\[system error: no worker has told how this command ended\. It may have run/)
  assert.equal(runs(), 1)
})

const smallDisk = `mount -t tmpfs -o size=1m,nr_inodes=9,mode=0700 none '${calls}' && touch '${calls}'/full{1..8} && exec "$@"`
await scenario('a full disk: tried again', [`${command}echo done`], async ({ server, texts, start }) => {
  const prefix = ['unshare', '--map-root-user', '--mount', 'bash', '-c', smallDisk, 'bash']
  const worker = start({ prefix })
  await until(() => server.sent > 4, 'some attempts')
  assert.equal(runs(), 0)
  rmSync(`/proc/${worker.pid}/root${calls}/full1`)
  rmSync(`/proc/${worker.pid}/root${calls}/full2`)
  assert.deepEqual(await texts, ['done\n'])
  assert.equal(runs(), 1)
})

copyFileSync('activities-with-sessions.js', 'activities.js')
await scenario(
  'with sessions: a worker killed between two commands',
  ['mkdir a && cd a; greet() { echo "hello $1"; }', `${command}greet world; pwd`],
  async ({ server, texts, start }) => {
    server.hold(2)
    const worker = start()
    await until(() => server.ends.length === 2, 'the first command')
    await kill(worker)
    server.release()
    start()
    assert.deepEqual(await texts, ['[no output]', `hello world\n${project}/a\n`])
    assert.equal(runs(), 1)
  },
)
