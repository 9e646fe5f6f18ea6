// Clients that are gone, and calls that go on without them.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../../support/as-user.js'
import { isAlive } from '../../support/processes.js'
import { waitFor } from '../../support/wait-for.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { context, TestFleet } from './test-fleet.js'

endFleets()

const clients: ChildProcess[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.kill('SIGKILL')
})

/** A process that sends one call, and waits. */
const startClient = (fleet: TestFleet, command: string, call: object): ChildProcess => {
  const program = join(packageRoot, 'test/fixtures/fleet/client.mjs')
  const client = spawn(process.execPath, [program], { stdio: ['pipe', 'inherit', 'inherit'] })
  client.stdin?.end(JSON.stringify({ options: fleet.clientOptions, command, call }))
  clients.push(client)
  return client
}

const ended = async (client: ChildProcess): Promise<void> => {
  client.kill('SIGKILL')
  await waitFor(() => !isAlive(client.pid ?? 0), { what: 'the client to end' })
}

fleetTest('a client that is killed leaves no command behind', async () => {
  const fleet = await TestFleet.start()
  const command = `echo $$ > ${fleet.directory}/pid; ${fleet.waiting('a')}`
  const call = context('c1')
  const client = startClient(fleet, command, call)
  await fleet.begun('a')
  const { readFileSync } = await import('node:fs')
  const pid = Number(readFileSync(`${fleet.directory}/pid`, 'utf8'))
  expect(isAlive(pid)).toBe(true)
  await ended(client)

  await waitFor(() => !isAlive(pid), { what: 'the command to be cancelled', deadlineMs: 20_000 })
  const again = await (await fleet.client()).tool().execute({ command }, call)
  expect(again).toMatchObject({ status: 'cancelled', replayed: true })
  expect([fleet.runs('a'), fleet.runs('end-a')]).toEqual([1, 0])
})

describe('a detached call', () => {
  const orphan = async () => {
    const fleet = await TestFleet.start()
    const command = fleet.waiting('a')
    const call = context('c1')
    const client = startClient(fleet, command, { ...call, detached: true })
    await fleet.begun('a')
    await ended(client)
    // Longer than a client may be silent.
    await waitFor(async () => (await aliveKeys(fleet)).length === 0, { what: 'the client to count as gone' })
    return { fleet, command, call, other: await fleet.client() }
  }
  const aliveKeys = async ({ redis }: TestFleet) => await redis.client.keys('{bw:in:*}:alive')

  fleetTest('goes on without its client, and whoever sends it again gets the result', async () => {
    const { fleet, command, call, other } = await orphan()
    const again = other.tool().execute({ command }, call)
    fleet.go('a')

    expect(await again).toMatchObject({ status: 'completed', output: 'out\n' })
    expect([fleet.runs('a'), fleet.runs('end-a')]).toEqual([1, 1])
  })

  fleetTest('is cancelled when whoever has sent it again cancels it', async () => {
    const { fleet, command, call, other } = await orphan()
    const cancel = new AbortController()
    const again = other.tool().execute({ command }, { ...call, cancel: cancel.signal })
    await waitFor(
      async () => {
        const events = await fleet.redis.client.xrevrange('{bw:w1}:exec:events', '+', '-')
        return events.flat(2).includes('duplicated')
      },
      { what: 'it to be sent again' },
    )
    cancel.abort()
    const result = await again
    const later = await other.tool().execute({ command }, call)

    expect(result).toMatchObject({ status: 'cancelled', fleet: { worker: 'w1' } })
    expect(later).toMatchObject({ status: 'cancelled', replayed: true })
    expect([fleet.runs('a'), fleet.runs('end-a')]).toEqual([1, 0])
  })

  fleetTest('can be attached to, with what it prints from then on', async () => {
    const { fleet, call, other } = await orphan()
    const texts: string[] = []
    const attached = other.attach('c1', call.toolCallId, {
      onEvent: (event) => event.type === 'output' && texts.push(event.text),
    })
    // Its worker has to have heard of it.
    await waitFor(async () => (await fleet.redis.client.keys('{bw:in:*}')).length > 0, { what: 'an inbox' })
    fleet.go('a')

    expect(await attached).toMatchObject({ status: 'completed', output: 'out\n', replayed: true })
    expect(await other.attach('c1', call.toolCallId)).toMatchObject({ status: 'completed', output: 'out\n' })
    expect(await other.attach('c1', 'never sent')).toBe(undefined)
    expect(fleet.runs('a')).toBe(1)
  })
})

fleetTest('closing a fleet cancels what it has sent', async () => {
  const fleet = await TestFleet.start()
  const client = await fleet.client()
  const running = client.tool().execute({ command: fleet.waiting('a') }, context('c1'))
  await fleet.begun('a')
  await client.close()

  expect((await running).status).toBe('cancelled')
  expect(fleet.runs('end-a')).toBe(0)
})

fleetTest('closing a fleet answers a call that is about to be sent', async () => {
  const fleet = await TestFleet.start()
  let hasAsked = () => {}
  const asked = new Promise<void>((resolve) => {
    hasAsked = resolve
  })
  let place = (_worker: string) => {}
  const placed = new Promise<string>((resolve) => {
    place = resolve
  })
  const client = await fleet.client({
    place: async () => {
      hasAsked()
      return await placed
    },
  })
  const sent = client.tool().execute({ command: fleet.noting('a') }, context('c1'))
  await asked
  const closed = client.close()
  place('w1')
  await closed
  const later = await client.tool().execute({ command: fleet.noting('b') }, context('c1'))

  expect((await sent).error).toMatchObject({
    code: 'ERR_NOT_STARTED',
    message: expect.stringContaining('its fleet was closed'),
  })
  expect(later.error?.code).toBe('ERR_NOT_STARTED')
  expect([fleet.runs('a'), fleet.runs('b')]).toEqual([0, 0])
})
