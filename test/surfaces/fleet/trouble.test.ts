// What goes wrong besides the calls of a worker: it is told, and it holds up nothing.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { Background } from '../../../lib/surfaces/fleet/worker/background.js'
import { waitFor } from '../../support/wait-for.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { context, TestFleet } from './test-fleet.js'

endFleets()

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A way to Redis whose connections can be cut without anybody being told, as a firewall does that forgets them. */
const silentWay = async (port: number) => {
  const sockets = new Set<Socket>()
  const pairs: [Socket, Socket][] = []
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    pairs.push([near, far])
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (data) => to.write(data)).on('error', () => {})
      from.on('close', () => to.destroy())
    }
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    /** Those that are there now. */
    cut() {
      for (const [near, far] of pairs.splice(0)) {
        near.removeAllListeners('data').resume()
        far.removeAllListeners('data').resume()
      }
    },
    end() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

fleetTest('a worker whose connections are half-open is not deaf for good', async () => {
  const fleet = await TestFleet.start({ workers: [] })
  const way = await silentWay(fleet.redis.port)
  const worker = await fleet.worker('w1', ['--redis', `redis://127.0.0.1:${way.port}`])
  const client = await fleet.client()
  await client.tool().execute({ command: 'true' }, context('c1'))
  way.cut()
  await waitFor(async () => (await client.workers()).length === 0, {
    what: 'it to be gone',
    deadlineMs: 20_000,
  })
  await waitFor(async () => (await client.workers()).length === 1, {
    what: 'it to be back',
    deadlineMs: 40_000,
  })
  const cancel = new AbortController()
  const running = client
    .tool()
    .execute({ command: fleet.waiting('a') }, context('c1', { cancel: cancel.signal }))
  await fleet.begun('a')
  cancel.abort()

  expect((await running).status).toBe('cancelled')
  expect(worker.stderr()).toMatch(/bashward worker: the connection to Redis failed: Socket timeout/)
  way.end()
})

fleetTest('a worker that is told to end while Redis is away ends', async () => {
  const fleet = await TestFleet.start({ workers: [] })
  const worker = await fleet.worker('w1', ['--grace', '1'])
  await fleet.redis.kill()
  await waitFor(() => worker.stderr().includes('\n'), { what: 'it to notice' })
  worker.kill('SIGTERM')

  expect(await worker.exited()).toBe(0)
  expect(worker.stderr()).toMatch(/^(bashward worker: .* failed: .*\n)+$/)
})

test('the same trouble is one line a minute', () => {
  const lines: string[] = []
  const background = new Background('w1', (line) => void lines.push(line))
  const failed = background.failed.bind(background)
  for (let second = 0; second < 3; second += 1) {
    failed('the heartbeat', new Error('one\n  two'), second * 1000)
    failed('the heartbeat', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), second * 1000)
  }
  failed('the heartbeat', new Error('one two'), 61_000)
  failed('the clean-up', 'no error', 61_000)
  background.stop()
  failed('the heartbeat', new Error('Connection is closed.'), 62_000)

  expect(lines).toEqual([
    'the heartbeat failed: one two',
    'the heartbeat failed: ECONNREFUSED',
    'the heartbeat failed: one two (2 times more since the last line)',
    'the clean-up failed: no error',
  ])
})
