// The package in worker threads: several at once, one after another, and one that is terminated.
import type { BashResult } from '../../lib/commands/run/result.js'
import { killHosts, runHost, startHost } from '../support/host.js'
import { daemonAndChild, isAlive, killLeftovers, uniqueSleep, waitUntilGone } from '../support/processes.js'

afterEach(killHosts)
afterEach(killLeftovers)

interface Outcome {
  main: BashResult[]
  workers: { code: number; results: BashResult[] }[]
}

const commands = Array.from({ length: 8 }, (_, i) => `echo ${i}; echo error >&2; sleep 0.0${i}; exit ${i}`)
const expected = commands.map((_, i) =>
  expect.objectContaining({
    status: i === 0 ? 'completed' : 'failed',
    exitCode: i,
    output: `${i}\nerror\n`,
  }),
)

test('the main thread and four workers run commands at the same time', async () => {
  const { main, workers } = await runHost<Outcome>('workers', {
    argument: { order: 'together', workers: 4, commands },
  })

  expect(main).toEqual(expected)
  expect(workers).toEqual(Array.from({ length: 4 }, () => ({ code: 0, results: expected })))
})

test('a worker starts after one that had loaded the addon has ended, and then the main thread loads it', async () => {
  const { main, workers } = await runHost<Outcome>('workers', {
    argument: { order: 'inTurn', workers: 3, commands },
  })

  expect(workers).toEqual(Array.from({ length: 3 }, () => ({ code: 0, results: expected })))
  expect(main).toEqual(expected)
})

test('worker.terminate() takes the foreground command of the worker with it, and leaves the process able to work', async () => {
  const marker = uniqueSleep()
  const host = startHost('terminate-worker', { argument: { command: daemonAndChild(marker) } })

  expect(await host.report('output')).toBe('on\n')
  expect(await host.report('terminated')).toEqual({ status: 'completed', after: 'alive\n' })
  await waitUntilGone(marker)
  expect(isAlive(host.pid)).toBe(true)
})
