// The tools of a fleet: as those of the package, with commands that run on a worker.
import { readdirSync } from 'node:fs'
import type { BashEvent } from '../../../lib/index.js'
import type { FleetResult } from '../../../lib/surfaces/fleet/fleet.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { context, TestFleet } from './test-fleet.js'

endFleets()

describe('a call', () => {
  fleetTest('runs on the worker of its conversation, in a directory of its own, once', async () => {
    const fleet = await TestFleet.start()
    const bash = (await fleet.client()).tool()
    const call = context('c1')
    const command = fleet.noting('a', 'pwd; exit 3')
    const first = await bash.execute({ command }, call)
    const second = await bash.execute({ command }, call)

    expect(first).toMatchObject({ status: 'failed', exitCode: 3, command, fleet: { worker: 'w1' } })
    expect(first.output).toMatch(new RegExp(`^${fleet.workspaces('w1')}/[0-9a-f]{64}\n$`))
    expect(second).toMatchObject({ status: 'failed', exitCode: 3, output: first.output, replayed: true })
    expect(fleet.runs('a')).toBe(1)
    expect(readdirSync(fleet.workspaces('w1'))).toHaveLength(1)
  })

  fleetTest('gives its output as it comes, and breaking out of the loop kills the command', async () => {
    const fleet = await TestFleet.start()
    const bash = (await fleet.client()).tool()
    const events: BashEvent<FleetResult>[] = []
    for await (const event of bash.stream({ command: 'echo one; sleep 600' }, context('c1'))) {
      events.push(event)
      if (event.type === 'output') break
    }
    expect(events).toEqual([
      { type: 'start', command: 'echo one; sleep 600', display: 'echo one; sleep 600' },
      { type: 'output', stream: 'output', text: 'one\n', dropped: 0 },
    ])
  })

  fleetTest('runs once when two clients send it at the same time, and both get the result', async () => {
    const fleet = await TestFleet.start()
    const [one, two] = await Promise.all([fleet.client(), fleet.client()])
    const call = context('c1')
    const command = fleet.waiting('a')
    const results = [one, two].map((client) => client.tool().execute({ command }, call))
    await fleet.begun('a')
    fleet.go('a')

    expect((await Promise.all(results)).map(({ status, output }) => [status, output])).toEqual([
      ['completed', 'out\n'],
      ['completed', 'out\n'],
    ])
    expect(fleet.runs('a')).toBe(1)
  })

  fleetTest('whose id was used for another command does not run, and does not get its output', async () => {
    const fleet = await TestFleet.start()
    const bash = (await fleet.client()).tool()
    const call = context('c1')
    await bash.execute({ command: fleet.noting('a', 'echo secret') }, call)
    const other = await bash.execute({ command: fleet.noting('b') }, call)
    const again = await bash.execute({ command: fleet.noting('a', 'echo secret') }, call)

    expect(other).toMatchObject({ status: 'error', error: { code: 'ERR_CALL_ID_REUSED' }, output: '' })
    expect(again).toMatchObject({ status: 'completed', output: 'secret\n', replayed: true })
    expect([fleet.runs('a'), fleet.runs('b')]).toEqual([1, 0])
  })

  fleetTest('with a mistake in its input or its context is answered without a worker', async () => {
    const fleet = await TestFleet.start({ workers: [] })
    const bash = (await fleet.client()).tool()
    const wrongInput = await bash.execute({ command: 'true', mode: 'fast' }, context('c1'))
    const noId = await bash.execute({ command: 'true' }, { conversationId: 'c1' } as never)
    const local = await bash.execute({ command: 'true' }, { ...context('c1'), workingDir: '/' } as never)
    const outside = await bash.execute({ command: 'true' }, context('c1', { workspaceDir: '../other' }))

    expect(wrongInput.status).toBe('invalid')
    expect(bash.toText(wrongInput)).toBe(
      '[invalid input: mode: must be one of default, slow, background (got "fast")]',
    )
    expect([noId, local, outside].map(({ error }) => error?.code)).toEqual(Array(3).fill('ERR_INVALID_INPUT'))
    expect(noId.error?.message).toContain('context.toolCallId')
    expect(local.error?.message).toContain('workspaceDir')
    expect(outside.error?.message).toContain('context.workspaceDir')
  })

  fleetTest('of no worker says that nothing has run', async () => {
    const fleet = await TestFleet.start({ workers: [] })
    const bash = (await fleet.client()).tool()
    const result = await bash.execute({ command: 'true' }, context('c1'))

    expect(result.error?.code).toBe('ERR_NO_WORKER')
    expect(bash.toText(result)).toMatch(
      /^\[system error: the command did not start, and nothing of it has run: /,
    )
  })
})

fleetTest('tenants with a conversation of the same name have nothing in common', async () => {
  const fleet = await TestFleet.start()
  const { bash, bashOutput, killBash } = (await fleet.client()).suite()
  const call = { conversationId: '42', toolCallId: 'call_0' }
  const own = await bash.execute(
    { command: 'x=own; echo own > file; sleep 600', run_in_background: true },
    { ...call, tenant: 'a' },
  )
  const other = await bash.execute({ command: 'echo "${x-nothing}"; ls' }, { ...call, tenant: 'b' })
  const stranger = { conversationId: '42', toolCallId: 'call_1', tenant: 'b' }
  const input = { bash_id: own.jobId ?? '' }
  const [listed, read, killed] = await Promise.all([
    bashOutput.execute({}, context('42', { tenant: 'b' })),
    bashOutput.execute(input, stranger),
    killBash.execute(input, context('42', { tenant: 'b' })),
  ])
  const byOwner = await killBash.execute(input, context('42', { tenant: 'a' }))

  expect(other).toMatchObject({ status: 'completed', output: 'nothing\n' })
  expect(listed).toMatchObject({ status: 'listed', jobs: [] })
  expect([read.error?.code, killed.error?.code]).toEqual(['ERR_JOB_NOT_FOUND', 'ERR_JOB_NOT_FOUND'])
  expect(byOwner.status).toBe('killed')
})

fleetTest('conversations go to all workers, and stay where they are', async () => {
  const fleet = await TestFleet.start({ workers: ['w1', 'w2'] })
  const where = async () => {
    const bash = (await fleet.client()).tool()
    const names = Array.from({ length: 12 }, (_, index) => `c${index}`)
    return await Promise.all(
      names.map(async (name) => (await bash.execute({ command: 'true' }, context(name))).fleet?.worker),
    )
  }
  const first = await where()

  expect(new Set(first)).toEqual(new Set(['w1', 'w2']))
  expect(await where()).toEqual(first)
})

fleetTest('place() chooses, and a name that is none is told', async () => {
  const fleet = await TestFleet.start({ workers: ['w1', 'w2'] })
  const asked: unknown[] = []
  const client = await fleet.client({
    place: (conversation) => {
      asked.push(conversation)
      return conversation.conversationId === 'bad' ? '../w1' : 'w2'
    },
  })
  const bash = client.tool({ tenant: 't' })
  const placed = await bash.execute({ command: 'true' }, context('c1'))
  const bad = await bash.execute({ command: 'true' }, context('bad'))

  expect(placed.fleet?.worker).toBe('w2')
  expect(asked[0]).toEqual({ conversationId: 'c1', tenant: 't', workers: ['w1', 'w2'] })
  expect(bad.error).toMatchObject({ code: 'ERR_INVALID_INPUT', message: expect.stringContaining('place') })
})

fleetTest('a cluster that refuses to cross slots takes everything', async () => {
  const fleet = await TestFleet.start({ cluster: true })
  const client = await fleet.client()
  const { bash, bashOutput, killBash } = client.suite()
  const job = await bash.execute({ command: 'echo hi; sleep 600', run_in_background: true }, context('c1'))
  const id = job.jobId ?? ''
  const read = await bashOutput.execute({ bash_id: id, until: 'hi' }, context('c1'))
  const killed = await killBash.execute({ bash_id: id }, context('c1'))
  const cancel = new AbortController()
  const running = bash.execute({ command: fleet.waiting('a') }, context('c1', { cancel: cancel.signal }))
  await fleet.begun('a')
  cancel.abort()

  expect([job.status, read.output, killed.status]).toEqual(['background', 'hi\n', 'killed'])
  expect((await running).status).toBe('cancelled')
  expect((await client.workers()).map(({ id }) => id)).toEqual(['w1'])
  expect(await client.release('c1')).toBe(true)
})
