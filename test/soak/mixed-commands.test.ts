// 500 mixed commands, many at once: afterwards the host holds what it held before, and no process is left.
import { killHosts, runHost } from '../support/host.js'
import { killLeftovers, processesWith, uniqueSleep } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(killHosts)
afterEach(killLeftovers)
afterEach(removeTempDirs)

interface State {
  holdings: { fds: number; threads: number; children: number }
  temporary: number
  rss: number
}

const MIB = 1024 ** 2

test('500 successes, failures, timeouts, cancels, floods and daemons leave nothing behind', async () => {
  const marker = uniqueSleep()
  const temporary = tempDir()
  const { before, after, unexpected } = await runHost<{ before: State; after: State; unexpected: unknown[] }>(
    'mixed-commands',
    {
      env: { ...process.env, TMPDIR: temporary },
      argument: { through: 'run', marker, temporary, count: 500, concurrency: 16 },
      nodeOptions: ['--expose-gc'],
    },
  )

  expect(unexpected).toEqual([])
  expect(after.holdings).toEqual(before.holdings)
  expect(after.holdings.children).toBe(0)
  expect(after.temporary).toBe(0)
  expect(processesWith(marker)).toEqual([])
  // After a collection, so that garbage which the next one would free does not count.
  expect(after.rss - before.rss).toBeLessThan(16 * MIB)
}, 180_000)
