// Cancels: of commands that run, that wait, and while Redis is away.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Queue } from 'bullmq'
import { CallLedger } from '../../../lib/commands/calls/call-ledger.js'
import { callName } from '../../../lib/commands/calls/identity.js'
import { conversationName } from '../../../lib/surfaces/fleet/names.js'
import { createBashTool } from '../../../lib/tools/bash-tool.js'
import { processesWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { waitFor } from '../../support/wait-for.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { context, TestFleet } from './test-fleet.js'

endFleets()

fleetTest('a cancel kills the command with everything it has started', async () => {
  const fleet = await TestFleet.start()
  const bash = (await fleet.client()).tool()
  const marker = uniqueSleep()
  const cancel = new AbortController()
  const command = `echo partial; setsid sleep ${marker} & sleep ${marker}`
  const running = bash.execute({ command }, context('c1', { cancel: cancel.signal }))
  await waitForSleep(marker)
  cancel.abort()

  expect(await running).toMatchObject({ status: 'cancelled', output: 'partial\n' })
  expect(processesWith(marker)).toEqual([])
})

describe('a call that waits', () => {
  fleetTest('for its worker is answered at once, and does not run', async () => {
    const fleet = await TestFleet.start({ args: ['--concurrency', '1'] })
    const bash = (await fleet.client()).tool()
    const first = bash.execute({ command: fleet.waiting('a') }, context('c1'))
    await fleet.begun('a')
    const cancel = new AbortController()
    const call = context('c2', { cancel: cancel.signal })
    const second = bash.execute({ command: fleet.noting('b') }, call)
    await waitFor(async () => (await fleet.redis.client.llen('{bw:w1}:exec:wait')) === 1, {
      what: 'it to wait',
    })
    cancel.abort()
    const cancelled = await second
    fleet.go('a')
    await first
    const again = await bash.execute({ command: fleet.noting('b') }, { ...call, cancel: undefined })

    expect(bash.toText(cancelled)).toBe('[command cancelled]\n')
    // Nothing of it had run, so the same call can be sent again.
    expect(again.status).toBe('completed')
    expect(fleet.runs('b')).toBe(1)
  })

  fleetTest('for another one of its conversation is answered at once, and does not run', async () => {
    const fleet = await TestFleet.start()
    const bash = (await fleet.client()).tool()
    const first = bash.execute({ command: fleet.waiting('a') }, context('c1'))
    await fleet.begun('a')
    const cancel = new AbortController()
    const second = bash.execute({ command: fleet.noting('b') }, context('c1', { cancel: cancel.signal }))
    await waitFor(async () => (await fleet.redis.client.llen('{bw:w1}:exec:active')) === 2, {
      what: 'it to be taken',
    })
    cancel.abort()
    const cancelled = await second
    fleet.go('a')

    expect(cancelled.status).toBe('cancelled')
    expect((await first).status).toBe('completed')
    expect(fleet.runs('b')).toBe(0)
  })
})

fleetTest('a cancel while Redis is away reaches the command when it is back', async () => {
  const fleet = await TestFleet.start({ aof: true })
  const bash = (await fleet.client()).tool()
  const cancel = new AbortController()
  const running = bash.execute({ command: fleet.waiting('a') }, context('c1', { cancel: cancel.signal }))
  await fleet.begun('a')
  await fleet.redis.kill()
  cancel.abort()
  await fleet.redis.start()

  expect((await running).status).toBe('cancelled')
  expect(fleet.runs('end-a')).toBe(0)
})

fleetTest('a call that still waits after Redis was away is answered at once, and does not run', async () => {
  const fleet = await TestFleet.start({ aof: true, args: ['--concurrency', '1'] })
  const bash = (await fleet.client()).tool()
  const first = bash.execute({ command: fleet.waiting('a') }, context('c1'))
  await fleet.begun('a')
  const cancel = new AbortController()
  const second = bash.execute({ command: fleet.noting('b') }, context('c2', { cancel: cancel.signal }))
  const waiting = async () => (await fleet.redis.client.llen('{bw:w1}:exec:wait')) === 1
  await waitFor(waiting, { what: 'it to wait' })
  await fleet.redis.kill()
  await fleet.redis.start()
  await waitFor(waiting, { what: 'it to wait again' })
  cancel.abort()

  // Whether it has started meanwhile its worker knows, which is asked.
  expect((await second).status).toBe('cancelled')
  fleet.go('a')
  expect((await first).status).toBe('completed')
  expect(fleet.runs('b')).toBe(0)
})

fleetTest('of 100 calls that are cancelled at any moment, none goes on', async () => {
  const fleet = await TestFleet.start({ args: ['--concurrency', '8'] })
  const bash = (await fleet.client({ limits: { perTenant: 200 } })).tool()
  const marker = uniqueSleep()
  const results = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const cancel = new AbortController()
      const call = context(`c${index}`, { cancel: cancel.signal })
      const running = bash.execute({ command: `sleep ${marker}` }, call)
      setTimeout(() => cancel.abort(), index * 4)
      return (await running).status
    }),
  )

  expect(new Set(results)).toEqual(new Set(['cancelled']))
  expect(processesWith(marker)).toEqual([])
})

fleetTest('a call that was cancelled between its claim and its start can be sent again', async () => {
  const fleet = await TestFleet.start({ args: ['--concurrency', '8'] })
  const bash = (await fleet.client({ limits: { perTenant: 200 } })).tool()
  const isMarked = ({ conversationId, toolCallId: callId }: { conversationId: string; toolCallId: string }) =>
    existsSync(join(fleet.state('w1'), 'calls', callName(undefined, { conversationId, callId })))
  const calls = Array.from({ length: 150 }, (_, index) => context(`c${index}`))
  await Promise.all(
    calls.map(async (call, index) => {
      const cancel = new AbortController()
      const running = bash.execute({ command: 'true' }, { ...call, cancel: cancel.signal })
      setTimeout(() => cancel.abort(), index * 3)
      await running
    }),
  )
  const unmarked = calls.filter((call) => !isMarked(call))
  const again = await Promise.all(unmarked.map((call) => bash.execute({ command: 'true' }, call)))

  expect(unmarked.length).toBeGreaterThan(0)
  const outcomes = again.map(({ status, error }) => error?.message ?? status)
  expect(new Set(outcomes)).toEqual(new Set(['completed']))
})

fleetTest('a cancel of one of two clients leaves the call to the other', async () => {
  const fleet = await TestFleet.start()
  const [one, two] = [await fleet.client(), await fleet.client()]
  const call = context('c1')
  const command = fleet.waiting('a')
  const first = one.tool().execute({ command }, call)
  await fleet.begun('a')
  const cancel = new AbortController()
  const second = two.tool().execute({ command }, { ...call, cancel: cancel.signal })
  await waitFor(async () => (await fleet.redis.client.keys('{bw:in:*}:alive')).length === 2, { what: 'both' })
  cancel.abort()
  const left = await second
  fleet.go('a')

  expect(left.status).toBe('cancelled')
  expect(await first).toMatchObject({ status: 'completed', output: 'out\n' })
  expect(fleet.runs('a')).toBe(1)
})

fleetTest('a cancel finds the command that runs, also when its sending was taken a second time', async () => {
  const fleet = await TestFleet.start()
  const bash = (await fleet.client()).tool()
  const redis = fleet.redis.client
  const marker = uniqueSleep()
  const command = fleet.noting('a', `sleep ${marker}`)
  const cancel = new AbortController()
  const running = bash.execute({ command }, context('c1', { cancel: cancel.signal }))
  await waitForSleep(marker)
  const [key = ''] = await redis.lrange('{bw:w1}:exec:active', 0, 0)
  const { name = '', data = '' } = await redis.hgetall(`{bw:w1}:exec:${key}`)
  await redis.del(`{bw:w1}:exec:${key}`)
  await redis.lrem('{bw:w1}:exec:active', 0, key)
  const { port, password } = fleet.redis
  const queue = new Queue('exec', { connection: { host: '127.0.0.1', port, password }, prefix: '{bw:w1}' })
  await queue.add(name, JSON.parse(data), { jobId: key })
  await waitFor(async () => (await redis.lrange('{bw:w1}:exec:active', 0, -1)).includes(key), {
    what: 'it to be taken again',
  })
  await queue.close()
  cancel.abort()

  expect(await running).toMatchObject({ status: 'cancelled', exitCode: null })
  expect(await redis.keys('{bw:w1}:ans:*')).toEqual([])
  expect(processesWith(marker)).toEqual([])
  expect(fleet.runs('a')).toBe(1)
})

fleetTest(
  'a cancel of a call that waits for what another process has started is not its outcome',
  async () => {
    const fleet = await TestFleet.start()
    const client = await fleet.client()
    const call = context('c1')
    // As a process before would have left it.
    const workingDir = join(fleet.workspaces('w1'), conversationName(undefined, 'c1'))
    await client.tool().execute({ command: 'true' }, context('c1'))
    const calls = new CallLedger({ directory: join(fleet.state('w1'), 'calls') })
    const command = fleet.waiting('a')
    const left = createBashTool({ calls }).execute(
      { command },
      { workingDir, sandbox: 'unrestricted', ...call },
    )
    await fleet.begun('a')
    const cancel = new AbortController()
    const sent = client.tool().execute({ command }, { ...call, cancel: cancel.signal })
    await waitFor(async () => (await fleet.redis.client.keys('{bw:w1}:claim:*')).length > 0, {
      what: 'the call to wait',
    })
    cancel.abort()
    const cancelled = await sent
    fleet.go('a')
    const result = await left
    const again = await client.tool().execute({ command }, call)

    expect([cancelled.status, result.status]).toEqual(['cancelled', 'completed'])
    expect(again).toMatchObject({ status: 'completed', output: 'out\n', replayed: true })
    expect(fleet.runs('a')).toBe(1)
  },
)
