// A Redis that is away for a while, and comes back with or without what it knew.
import { waitFor } from '../../support/wait-for.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { context, TestFleet } from './test-fleet.js'

endFleets()

describe.each([true, false])('with its data kept: %s', (aof) => {
  fleetTest('a command goes on while Redis is away, and its client gets the result', async () => {
    const fleet = await TestFleet.start({ aof })
    const bash = (await fleet.client()).tool()
    const running = bash.execute({ command: fleet.waiting('a') }, context('c1'))
    await fleet.begun('a')
    await fleet.redis.kill()
    await fleet.redis.start()
    fleet.go('a')

    expect(await running).toMatchObject({ status: 'completed', output: 'out\n' })
    expect(fleet.runs('a')).toBe(1)
  })

  fleetTest('a command that ended meanwhile is told when Redis is back, and does not run again', async () => {
    const fleet = await TestFleet.start({ aof })
    const client = await fleet.client()
    const bash = client.tool()
    const call = context('c1')
    const command = fleet.waiting('a')
    const running = bash.execute({ command }, call)
    await fleet.begun('a')
    await fleet.redis.kill()
    fleet.go('a')
    await waitFor(() => fleet.runs('end-a'), { what: 'the command to end' })
    await fleet.redis.start()
    const result = await running
    const again = await bash.execute({ command }, call)
    const next = await bash.execute({ command: 'echo next; ls' }, context('c1'))

    expect(result).toMatchObject({ status: 'completed', output: 'out\n' })
    expect(again).toMatchObject({ status: 'completed', output: 'out\n', replayed: true })
    expect(next.output).toBe('next\n')
    expect(fleet.runs('a')).toBe(1)
  })

  fleetTest('a call that is sent while Redis is away runs once when it is back', async () => {
    const fleet = await TestFleet.start({ aof })
    const bash = (await fleet.client()).tool()
    await bash.execute({ command: 'touch here' }, context('c1'))
    await fleet.redis.kill()
    const sent = bash.execute({ command: fleet.noting('a', 'ls') }, context('c1'))
    await fleet.redis.start()
    const result = await sent

    // A worker that Redis has forgotten needs a heartbeat to be there again.
    if (result.error === undefined) expect(result).toMatchObject({ status: 'completed', output: 'here\n' })
    else expect(result.error.code).toBe('ERR_NO_WORKER')
    expect(fleet.runs('a')).toBe(result.error === undefined ? 1 : 0)
    const next = await waitFor(
      async () => {
        const tried = await bash.execute({ command: 'ls' }, context('c1'))
        return tried.error === undefined ? tried : undefined
      },
      { what: 'calls to run again', intervalMs: 200 },
    )
    expect(next.output).toBe('here\n')
  })
})

fleetTest('while Redis is away for good, a call is answered at its deadline', async () => {
  const fleet = await TestFleet.start()
  const client = await fleet.client({ limits: { queueMs: 500 } })
  await fleet.redis.kill()
  const result = await client.tool().execute({ command: fleet.noting('a') }, context('c1'))

  expect(result.error).toMatchObject({
    code: 'ERR_NOT_STARTED',
    message: expect.stringContaining('Redis did not answer in time'),
  })
  await fleet.redis.start()
  // What has waited for Redis is not sent later.
  await client.tool().execute({ command: 'true' }, context('c1'))
  expect(fleet.runs('a')).toBe(0)
})

fleetTest('with its memory full, Redis keeps the names of workers and takes their results', async () => {
  const fleet = await TestFleet.start()
  const bash = (await fleet.client()).tool()
  const running = bash.execute({ command: fleet.waiting('a') }, context('c1'))
  await fleet.begun('a')
  await fleet.redis.client.config('SET', 'maxmemory', '1')
  const refused = await bash.execute({ command: fleet.noting('b') }, context('c2'))
  const node = await fleet.redis.client.pttl('{bw:w1}:node')
  await waitFor(async () => (await fleet.redis.client.pttl('{bw:w1}:node')) > node, {
    what: 'a heartbeat',
    intervalMs: 10,
  })
  fleet.go('a')

  expect(await running).toMatchObject({ status: 'completed', output: 'out\n' })
  expect(refused.error).toMatchObject({ code: 'ERR_NOT_STARTED', message: expect.stringContaining('OOM') })
  expect(fleet.runs('b')).toBe(0)
})
