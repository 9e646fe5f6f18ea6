// Questions about conversations that no worker has.
import { waitFor } from '../../support/wait-for.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { context, TestFleet } from './test-fleet.js'

endFleets()

const code = async (answer: Promise<unknown>): Promise<string> =>
  await answer.then(
    () => 'none',
    (error: { code: string }) => error.code,
  )

fleetTest('a question about a conversation that nobody has begun binds it to no worker', async () => {
  const fleet = await TestFleet.start()
  const client = await fleet.client()
  const { bashOutput, killBash } = client.suite()
  const codes = [
    await code(client.attach('c1', 'never sent')),
    await code(client.output('c1', 'abc')),
    (await bashOutput.execute({ bash_id: 'abc' }, context('c1'))).error?.code,
    (await killBash.execute({ bash_id: 'abc' }, context('c1'))).error?.code,
  ]

  expect(codes).toEqual(Array(4).fill('ERR_NO_WORKER'))
  expect(await client.release('c1')).toBe(false)
  expect(await fleet.redis.client.keys('bw:conv:*')).toEqual([])
})

fleetTest('a question that no worker has taken says nothing of the command that it is about', async () => {
  const fleet = await TestFleet.start({ workers: [] })
  const worker = await fleet.worker('w1')
  const client = await fleet.client()
  const { bash, killBash } = client.suite()
  const call = context('c1')
  await bash.execute({ command: 'true' }, call)
  worker.kill('SIGTERM')
  await worker.exited()
  await waitFor(async () => (await client.workers()).length === 0, { what: 'the worker to be gone' })
  const killed = await killBash.execute({ bash_id: 'abc' }, context('c1'))
  const attached = await client.attach('c1', call.toolCallId).catch((error: Error) => error)

  for (const error of [killed.error, attached]) {
    expect(error).toMatchObject({
      // Whether it was seen to be gone before the question was sent, or after.
      code: expect.stringMatching(/^ERR_(NO_WORKER|NOT_STARTED)$/),
      message: expect.stringContaining('not carried out'),
    })
  }
})
