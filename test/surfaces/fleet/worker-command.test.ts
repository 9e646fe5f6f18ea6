// `bashward worker`: its command line, its signs of life, and what can be seen of it.
import { spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { callName } from '../../../lib/commands/calls/identity.js'
import { type FleetEvent, fleetChannel } from '../../../lib/surfaces/fleet/fleet.js'
import { waitFor } from '../../support/wait-for.js'
import { bashward, binPath } from '../cli/program.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { context, TestFleet, timings } from './test-fleet.js'

endFleets()

fleetTest('a wrong password is told to workers and clients', async () => {
  const fleet = await TestFleet.start({ workers: [] })
  const worker = fleet.startWorker('w1', [], 'wrong')
  const connection = { port: fleet.redis.port, password: 'wrong' }

  expect(await worker.exited()).toBe(125)
  expect(worker.stderr()).toMatch(/Redis cannot be used: .*(NOAUTH|WRONGPASS)/)
  await expect(fleet.client({ connection })).rejects.toMatchObject({
    code: 'ERR_NO_WORKER',
    message: expect.stringMatching(/Redis cannot be used: .*(NOAUTH|WRONGPASS)/),
  })
})

fleetTest('a Redis that is not there is told', async () => {
  const fleet = await TestFleet.start({ workers: [] })
  await fleet.redis.kill()

  await expect(fleet.client()).rejects.toMatchObject({
    code: 'ERR_NO_WORKER',
    message: 'Redis cannot be used: it did not answer within 10 seconds',
  })
})

describe('a command line that is wrong', () => {
  test.each<[string, string[], string]>([
    ['no id', ['worker', '--as-root'], '--id is missing'],
    ['a name that is none', ['worker', '--as-root', '--id', 'a b'], 'must be 1 to 64 letters'],
    ['no Redis', ['worker', '--as-root', '--id', 'w1'], '--redis is missing'],
    [
      'a number of a database',
      ['worker', '--as-root', '--id', 'w1', '--redis', 'redis://h/3'],
      'must be a URL',
    ],
    [
      'a descriptor that is none',
      ['worker', '--as-root', '--id', 'w1', '--redis-password-fd', '99'],
      'cannot be read',
    ],
    [
      'a short TTL',
      ['worker', '--as-root', '--id', 'w1', '--redis', 'redis://h', '--heartbeat', '2', '--ttl', '3'],
      '--ttl must be',
    ],
    [
      'two modes',
      ['worker', '--as-root', '--id', 'w1', '--redis', 'redis://h', '--restricted', '--workspace'],
      'two modes',
    ],
  ])('%s is told', async (_, args, message) => {
    const { code, stderr } = await bashward(args)

    expect([code, stderr]).toEqual([125, expect.stringContaining(message)])
  })

  fleetTest('with a private key to accept is refused', async () => {
    const fleet = await TestFleet.start({ workers: [] })
    writeFileSync(fleet.keyFile, fleet.clientOptions.signingKey)
    const worker = fleet.startWorker('w1')

    expect(await worker.exited()).toBe(125)
    expect(worker.stderr()).toContain('a worker must not have a PRIVATE KEY')
  })
})

/** What `bashward worker status` prints. Not synchronously: who does not beat counts as gone. */
const statusOf = async (fleet: TestFleet, args: string[]): Promise<string> => {
  const file = join(fleet.directory, 'password')
  writeFileSync(file, fleet.redis.password)
  const descriptor = openSync(file, 'r')
  const words = ['worker', 'status', '--redis', fleet.redis.url, '--redis-password-fd', '3', ...args]
  const child = spawn(process.execPath, [binPath, ...words], {
    stdio: ['ignore', 'pipe', 'inherit', descriptor],
  })
  closeSync(descriptor)
  return await text(child.stdout as Readable)
}

fleetTest('status shows what runs and what waits, as a table and as JSON', async () => {
  const fleet = await TestFleet.start({ args: ['--concurrency', '1', '--restricted'] })
  const bash = (await fleet.client()).tool()
  const first = bash.execute({ command: 'sleep 600' }, context('c1'))
  await waitFor(
    async () => JSON.parse((await fleet.redis.client.get('{bw:w1}:node')) ?? '{}').running === 1,
    { what: 'it to run' },
  )
  const cancel = new AbortController()
  const second = bash.execute({ command: 'true' }, context('c2', { cancel: cancel.signal }))
  await waitFor(async () => (await fleet.redis.client.llen('{bw:w1}:exec:wait')) === 1, {
    what: 'it to wait',
  })
  const status = async (...args: string[]) => await statusOf(fleet, args)
  const [worker] = JSON.parse(await status('--json'))

  expect(await status()).toMatch(/^WORKER .*\nw1 +there +1 of 1 +1 +\d+s +restricted +\d+s\n$/)
  expect(worker).toMatchObject({ id: 'w1', node: { running: 1, capacity: 1 }, waiting: 1 })
  expect(worker.oldestMs).toBeGreaterThanOrEqual(0)
  expect(await status('--id', 'w9')).toMatch(/^w9 +gone +0/m)
  cancel.abort()
  await second
  void first
})

fleetTest('a client publishes that a look at a call has failed, and looks again', async () => {
  const fleet = await TestFleet.start()
  const call = context('c1')
  const events: FleetEvent[] = []
  const note = (event: unknown) => void events.push(event as FleetEvent)
  // Nothing tells it of the call but its looks.
  const silent = { ...timings, beatMs: 60_000, aliveMs: 600_000 }
  const client = await fleet.client({ timings: silent })
  await fleet.redis.client.del(...(await fleet.redis.client.keys('{bw:in:*}')))
  const running = client.tool().execute({ command: fleet.waiting('a') }, call)
  await fleet.begun('a')
  subscribe(fleetChannel, note)
  const name = callName(undefined, { conversationId: 'c1', callId: call.toolCallId })
  await fleet.redis.client.set(`{bw:w1}:res:${name}`, 'no hash')
  const fault = await waitFor(() => events.find(({ type }) => type === 'faulted'), { what: 'a fault' })
  await fleet.redis.client.del(`{bw:w1}:res:${name}`)
  fleet.go('a')
  const result = await running
  unsubscribe(fleetChannel, note)

  const about = { worker: 'w1', conversationId: 'c1', toolCallId: call.toolCallId, tool: 'bash' }
  expect(fault).toEqual({ type: 'faulted', ...about, code: 'WRONGTYPE' })
  expect(result.status).toBe('completed')
})

fleetTest(
  'a client publishes what it sends and what it is answered, with the trace of its caller',
  async () => {
    const fleet = await TestFleet.start()
    const events: FleetEvent[] = []
    const note = (event: unknown) => void events.push(event as FleetEvent)
    subscribe(fleetChannel, note)
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const call = context('c1', { tenant: 't', traceparent })
    await (await fleet.client()).tool().execute({ command: 'exit 3' }, call)
    unsubscribe(fleetChannel, note)

    const common = {
      worker: 'w1',
      conversationId: 'c1',
      toolCallId: call.toolCallId,
      tool: 'bash',
      tenant: 't',
      traceparent,
    }
    expect(events).toEqual([
      { type: 'queued', ...common },
      { type: 'answered', ...common, status: 'failed', durationMs: expect.any(Number), dropped: 0 },
    ])
  },
)
