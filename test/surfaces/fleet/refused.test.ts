// Requests that a worker does not take, tried one by one by somebody who can write to Redis.
import { generateKeyPairSync } from 'node:crypto'
import { keyName } from '../../../lib/surfaces/fleet/signing.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { Sender } from './forged-sender.js'
import { context, TestFleet } from './test-fleet.js'

endFleets()

const start = async () => await Sender.of(await TestFleet.start())

fleetTest('what this file sends would run if it were in order', async () => {
  const sender = await start()

  expect(await sender.send(sender.signed())).toBe('ran')
  expect(sender.fleet.runs('forged')).toBe(1)
})

describe('refused, and not run, is a request', () => {
  const refusedAs = (name: string, code: string, send: (sender: Sender) => Promise<string>): void =>
    fleetTest(name, async () => {
      const sender = await start()
      const answer = await send(sender)

      expect(answer).toBe(code)
      expect(sender.fleet.runs('forged')).toBe(0)
      const next = await (await sender.fleet.client()).tool().execute({ command: 'echo ok' }, context('c1'))
      expect(next.output).toBe('ok\n')
    })

  refusedAs('without a signature', 'ERR_SIGNATURE', async (sender) => {
    const { body } = sender.signed()
    return await sender.send({ body })
  })
  refusedAs('that is no object', 'ERR_SIGNATURE', async (sender) => await sender.send('text'))
  refusedAs('signed by another key', 'ERR_SIGNATURE', async (sender) => {
    const { privateKey } = generateKeyPairSync('ed25519')
    return await sender.send(sender.signed({}, privateKey))
  })
  refusedAs('signed by another key under the name of a good one', 'ERR_SIGNATURE', async (sender) => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const key = keyName(sender.fleet.keys.privateKey)
    return await sender.send({ ...sender.signed({}, privateKey), key })
  })
  refusedAs('with one byte changed', 'ERR_SIGNATURE', async (sender) => {
    const signed = sender.signed()
    return await sender.send({ ...signed, body: signed.body.replace('"c1"', '"c2"') })
  })
  refusedAs('with U+FFFD changed into half a surrogate pair', 'ERR_SIGNATURE', async (sender) => {
    const signed = sender.signed({ traceparent: '\ufffd' })
    return await sender.send({ ...signed, body: signed.body.replace('\ufffd', '\ud800') })
  })
  refusedAs('that says the same in other bytes', 'ERR_SIGNATURE', async (sender) => {
    const signed = sender.signed()
    return await sender.send({ ...signed, body: JSON.stringify(JSON.parse(signed.body), null, 1) })
  })
  refusedAs('for another worker', 'ERR_SIGNATURE', async (sender) => {
    return await sender.send(sender.signed({ worker: 'w2' }))
  })
  refusedAs('under the id of another call', 'ERR_SIGNATURE', async (sender) => {
    return await sender.send(sender.signed(), sender.idOf({ toolCallId: 'other' }))
  })
  refusedAs('in the queue for control', 'ERR_SIGNATURE', async (sender) => {
    return await sender.send(sender.signed(), sender.request.sending, 'ctl')
  })
  refusedAs('for an earlier process of the worker', 'ERR_STALE', async (sender) => {
    return await sender.send(sender.signed({ incarnation: 'b'.repeat(24) }))
  })
  refusedAs('after its time', 'ERR_DEADLINE', async (sender) => {
    return await sender.send(sender.signed({ notAfter: Date.now() - 60_000 }))
  })
  refusedAs('with an old epoch', 'ERR_FENCED', async (sender) => {
    return await sender.send(sender.signed({ epoch: '1-0000000000000000' }))
  })
  refusedAs('for a conversation that is bound to nobody', 'ERR_FENCED', async (sender) => {
    const changes = { conversationId: 'never bound' }
    return await sender.send(sender.signed(changes), sender.idOf(changes))
  })
  refusedAs('of 1 MiB', 'ERR_TOO_LARGE', async (sender) => {
    const changes = { input: { command: `: ${'x'.repeat(1024 * 1024)}` } }
    return await sender.send(sender.signed(changes), sender.idOf(changes))
  })
  refusedAs('with a field that nobody knows', 'ERR_INVALID_INPUT', async (sender) => {
    return await sender.send(sender.signed({ shell: '/bin/sh' } as never))
  })
  refusedAs('with half a surrogate pair in its command', 'ERR_INVALID_INPUT', async (sender) => {
    const changes = { input: { command: `${sender.fleet.noting('forged')} # \ud800` } }
    return await sender.send(sender.signed(changes), sender.idOf(changes))
  })
  refusedAs('that leaves its directory', 'ERR_INVALID_INPUT', async (sender) => {
    const changes = { workspaceDir: '../../etc' }
    return await sender.send(sender.signed(changes), sender.idOf(changes))
  })
})

fleetTest('a request that is sent again, exactly as it was, gives its result and does not run', async () => {
  const sender = await start()
  const { fleet } = sender
  const signed = sender.signed()
  await sender.send(signed)
  // Redis has forgotten that job.
  await fleet.redis.client.del(`{bw:w1}:exec:${sender.idOf()}`)
  await sender.send(signed)

  expect(fleet.runs('forged')).toBe(1)
})

fleetTest('half a surrogate pair is refused by the name of its field, and nothing is sent', async () => {
  const fleet = await TestFleet.start()
  const client = await fleet.client()
  const half = '\ud800'
  const inCommand = await client.tool().execute({ command: `: ${half}` }, context('c1'))
  const inContext = await client.tool().execute({ command: 'true' }, context('c1', { traceparent: half }))
  const inPath = await client.tool().execute({ command: 'true' }, context('c1', { workspaceDir: half }))

  expect(inCommand).toMatchObject({
    status: 'invalid',
    error: { code: 'ERR_INVALID_INPUT', message: expect.stringMatching(/^command: must be well-formed/) },
  })
  expect(inContext.error?.message).toMatch(/^context.traceparent: must be well-formed/)
  expect(inPath.error?.message).toMatch(/^context.workspaceDir: must be well-formed/)
  expect(await fleet.redis.client.keys('bw:conv:*')).toEqual([])
})

fleetTest('a client whose key no worker accepts is told so', async () => {
  const fleet = await TestFleet.start()
  const { privateKey } = generateKeyPairSync('ed25519')
  const client = await fleet.client({ signingKey: privateKey })
  const result = await client.tool().execute({ command: fleet.noting('a') }, context('c1'))

  expect(result.error?.code).toBe('ERR_SIGNATURE')
  expect(fleet.runs('a')).toBe(0)
})

fleetTest('what another one writes into a client’s inbox is not believed', async () => {
  const fleet = await TestFleet.start()
  const texts: string[] = []
  const running = (await fleet.client())
    .tool()
    .execute(
      { command: fleet.waiting('a') },
      context('c1', { onEvent: (event) => event.type === 'output' && texts.push(event.text) }),
    )
  await fleet.begun('a')
  const redis = fleet.redis.client
  const [alive = ''] = await redis.keys('{bw:in:*}:alive')
  const inbox = alive.replace(/:alive$/, '')
  const { jobs } = { jobs: await redis.lrange('{bw:w1}:exec:active', 0, -1) }
  const sending = await redis.hget(`{bw:w1}:exec:${jobs[0]}`, 'name')
  const forged = ['c', sending ?? '', 'k', 'a'.repeat(32)]
  await redis.xadd(`${inbox}:out`, '*', 't', 'o', ...forged, 'p', '0', 'x', 'forged')
  await redis.xadd(inbox, '*', 't', 'r', ...forged)
  await redis.set(`{bw:w2}:ans:${sending}`, JSON.stringify({ kind: 'result', result: { output: 'forged' } }))
  fleet.go('a')

  expect((await running).output).toBe('out\n')
  expect(texts).toEqual(['out\n'])
})
