// A client that was stopped past the time of its call, as by SIGSTOP or a suspended machine. Its event loop is held
// here, which is the same to it: the answer that lies in Redis by then is its answer.
import { endFleets, fleetTest } from './describe-fleet.js'
import { context, TestFleet, timings } from './test-fleet.js'

endFleets()

const holdEventLoop = (forMs: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs)

fleetTest('a call that was answered while its client was stopped has its answer', async () => {
  const fleet = await TestFleet.start()
  const options = { timings: { ...timings, aliveMs: 30_000, answerSlackMs: 10 }, limits: { queueMs: 2000 } }
  const bash = (await fleet.client(options)).suite().bash
  const run = bash.execute({ command: fleet.noting('a', 'echo end'), timeout: 1000 }, context('c1'))
  await fleet.begun('a')
  holdEventLoop(5000)

  expect(await run).toMatchObject({ status: 'completed', output: 'end\n' })
})
