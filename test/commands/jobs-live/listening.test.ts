// Where jobs listen: told from /proc, for any of their processes.
import { createServer } from 'node:net'
import { join } from 'node:path'
import { listeningOf } from '../../../lib/commands/jobs/listening/listening.js'
import { createBashSuite, type Job, type ToolContext } from '../../../lib/index.js'
import { cannotTest } from '../../support/must-work.js'
import { isAlive } from '../../support/processes.js'
import { whyNotRestricted } from '../../support/restricted.js'
import { tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { leaveNothing, liveJobs, supervisorPid, waitForOutput } from './live-jobs.js'

afterEach(leaveNothing)

/** A shell command that runs a server: it listens on ports of the kernel's choice. */
const server = (...hosts: string[]): string => {
  const listen = hosts.map((host) => `require("net").createServer().listen(0, "${host}");`)
  return `${process.execPath} -e '${listen.join(' ')}'`
}

const untilListening = (store: { get(id: string): Promise<Job> }, id: string, count = 1) =>
  waitFor(
    async () => {
      const { listening = [] } = await store.get(id)
      return listening.length >= count ? listening : undefined
    },
    { what: `${id} to listen`, deadlineMs: 20_000 },
  )

test('a server is told with address, port and process, for IPv4 and IPv6', async () => {
  const { store, start } = liveJobs()
  const { id } = await start(server('127.0.0.1', '::1'))
  const listening = await untilListening(store, id, 2)

  expect(listening.map(({ address }) => address).sort()).toEqual(['127.0.0.1', '::1'])
  for (const { port, pid } of listening) {
    expect(port).toBeGreaterThan(0)
    expect(isAlive(pid)).toBe(true)
  }
  expect((await store.list())[0]?.listening).toEqual(listening)
})

test('a job that does not listen has no such field, nor one that has ended', async () => {
  const { store, start } = liveJobs()
  const { id } = await start('sleep 300')
  const other = await start('true')
  await store.wait(other.id)

  expect(await store.get(id)).not.toHaveProperty('listening')
  expect(await store.get(other.id)).not.toHaveProperty('listening')
})

test('sockets of other processes are not told', async () => {
  const own = createServer().listen(0, '127.0.0.1')
  try {
    const { store, start } = liveJobs()
    const { id } = await start(server('127.0.0.1'))

    expect(await untilListening(store, id)).toHaveLength(1)
  } finally {
    own.close()
  }
})

test('a server that makes itself a daemon is found, and its port is free once the job is killed', async () => {
  const { store, tool } = liveJobs()
  const ready = join(tempDir(), 'ready')
  const program = `require("net").createServer().listen(0, "127.0.0.1", () => require("fs").writeFileSync("${ready}", ""))`
  const daemon = `(setsid ${process.execPath} -e '${program}' </dev/null >/dev/null 2>&1 &)`
  const command = `${daemon}; until [ -e ${ready} ]; do sleep .02; done; echo started`
  const result = await tool.execute({ command }, { workingDir: '/' })
  const { jobId = '' } = result
  const [socket] = await untilListening(store, jobId)

  expect(tool.toText(result)).toMatch(
    /^started\n\[still running as job bash_\w+: \d+ \(daemon: .*node -e .*\)/,
  )
  expect(socket?.pid).toBe(result.survivors[0]?.pid)
  expect(await store.kill(jobId)).toEqual({ status: 'killed' })
  const reused = createServer()
  await new Promise<void>((resolve, reject) => {
    reused.once('error', reject).listen(socket?.port, '127.0.0.1', resolve)
  })
  reused.close()
})

test('a socket that several processes share is told once', async () => {
  const { store, start } = liveJobs()
  const share =
    'const s = require("net").createServer().listen(0, "127.0.0.1", () => { ' +
    'require("child_process").spawn("sleep", ["300"], { stdio: ["pipe", "pipe", "pipe", s._handle.fd] }); ' +
    'console.log("shared") })'
  const { id, outputFile } = await start(`${process.execPath} -e '${share}'`)
  await waitForOutput(outputFile, 'shared')

  expect(await untilListening(store, id)).toHaveLength(1)
})

test.each(['restricted', 'workspace'] as const)('a server in a sandbox is told: %s', async (sandbox) => {
  const reason = await whyNotRestricted()
  if (reason !== undefined) return cannotTest(reason)
  const { store, tool } = liveJobs()
  const context: ToolContext = { workingDir: tempDir(), sandbox }
  const { jobId = '', error } = await tool.execute(
    { command: server('127.0.0.1'), mode: 'background' },
    context,
  )
  expect(error).toBeUndefined()
  // Restricted mode has no sockets at all.
  if (sandbox === 'restricted') {
    await store.wait(jobId, { timeoutMs: 20_000 })
    return expect(await store.get(jobId)).not.toHaveProperty('listening')
  }
  expect(await untilListening(store, jobId)).toEqual([
    { address: '127.0.0.1', port: expect.any(Number), pid: expect.any(Number) },
  ])
})

test('one in another network namespace is told as such', async () => {
  const { store, start } = liveJobs()
  const { id } = await start(
    `unshare --user --map-root-user --net ${server('0.0.0.0')} || echo cannot; sleep 300`,
  )
  const seen = await waitFor(
    async () => {
      const [{ listening } = {}] = await store.list()
      return listening ?? ((await store.read(id)).output.includes('cannot') ? 'cannot' : undefined)
    },
    { what: 'a server in another network namespace', deadlineMs: 20_000 },
  )
  if (seen === 'cannot') return cannotTest('there are no network namespaces for users here')

  expect(seen).toMatchObject([{ address: '0.0.0.0', otherNetwork: true }])
})

test('of a supervisor that is gone, or another process by now, nothing is told', async () => {
  const { store, start } = liveJobs()
  const { id } = await start(server('127.0.0.1'))
  await untilListening(store, id)
  const job = await store.get(id)
  const { bootId = '', pidNamespace } = job.record ?? {}
  const supervisor = {
    pid: supervisorPid(job),
    startTime: job.record?.supervisor.startTime ?? 0,
    bootId,
    pidNamespace,
  }

  expect(await listeningOf(supervisor)).toHaveLength(1)
  expect(await listeningOf({ ...supervisor, startTime: supervisor.startTime + 1 })).toEqual([])
  expect(await listeningOf({ ...supervisor, pid: 4_194_303 })).toEqual([])
})

test('processes that come and go meanwhile are no error', async () => {
  const { store, start } = liveJobs()
  const { id } = await start(`${server('127.0.0.1')} & while :; do true & (true | true); done`)
  await untilListening(store, id)
  for (let i = 0; i < 100; i++) expect((await store.get(id)).listening).toHaveLength(1)
})

test('BashOutput tells it in its text', async () => {
  const { store, start } = liveJobs()
  const { id } = await start(`echo ready; exec ${server('127.0.0.1')}`)
  const [{ port, pid } = { port: 0, pid: 0 }] = await untilListening(store, id)
  const { bashOutput } = createBashSuite({ jobs: store })
  const result = await bashOutput.execute({ bash_id: id }, { workingDir: '/' })

  expect(result.listening).toEqual([{ address: '127.0.0.1', port, pid }])
  expect(bashOutput.toText(result)).toBe(
    `[running]\nready\n[listening: 127.0.0.1:${port}]\n[to read what follows: offset 6]`,
  )
})
