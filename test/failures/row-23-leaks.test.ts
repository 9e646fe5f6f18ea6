// Row 23: 500 mixed calls of the tool leave no descriptor, thread, child or temporary file.
import { killHosts, runHost } from '../support/host.js'
import { killLeftovers, processesWith, uniqueSleep } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(killHosts)
afterEach(killLeftovers)
afterEach(removeTempDirs)

interface State {
  holdings: { fds: number; threads: number; children: number }
  temporary: number
}

describe('row 23: 500 mixed calls of one tool', () => {
  test('the host holds what it held before, and nothing is left running', async () => {
    const marker = uniqueSleep()
    const temporary = tempDir()
    const { before, after, unexpected } = await runHost<{
      before: State
      after: State
      unexpected: unknown[]
    }>('mixed-commands', {
      env: { ...process.env, TMPDIR: temporary },
      argument: { through: 'tool', marker, temporary, count: 500, concurrency: 8 },
      nodeOptions: ['--expose-gc'],
    })

    expect(unexpected).toEqual([])
    expect(after.holdings).toEqual(before.holdings)
    expect(after.holdings.children).toBe(0)
    expect(after.temporary).toBe(0)
    expect(processesWith(marker)).toEqual([])
  }, 180_000)
})
