// Row 3: a child that ignores SIGTERM dies after the grace.
import { run } from '../../lib/index.js'
import { killLeftovers, processesWith, uniqueSleep } from '../support/processes.js'

afterEach(killLeftovers)

describe('row 3: a child ignores SIGTERM', () => {
  test('at the timeout it is killed after the default grace', async () => {
    const marker = uniqueSleep()
    const command = `(trap '' TERM; exec sleep ${marker}) & wait`
    const result = await run(command, { cwd: '/', timeout: 1000 })

    expect(result).toMatchObject({ status: 'timed_out', survivors: [] })
    expect(processesWith(marker)).toEqual([])
  })

  test('the grace is what the caller says', async () => {
    const marker = uniqueSleep()
    const command = `trap '' TERM; echo on; sleep ${marker}; sleep ${marker}`
    const result = await run(command, { cwd: '/', timeout: 500, termGraceMs: 100 })

    expect(result).toMatchObject({ status: 'timed_out', output: 'on\n', survivors: [] })
    expect(processesWith(marker)).toEqual([])
  })

  test('a command that ends in the grace ends by its own trap', async () => {
    const marker = uniqueSleep()
    const command = `trap 'echo cleaned; exit 0' TERM; echo on; sleep ${marker} & wait`
    const result = await run(command, { cwd: '/', timeout: 500, termGraceMs: 10_000 })

    expect(result).toMatchObject({ status: 'timed_out', output: 'on\ncleaned\n' })
    expect(result.durationMs).toBeLessThan(9_000)
    expect(processesWith(marker)).toEqual([])
  })

  test('a stopped child is killed as well', async () => {
    const marker = uniqueSleep()
    const result = await run(`sleep ${marker} & kill -STOP $!; wait`, { cwd: '/', timeout: 500 })

    expect(result).toMatchObject({ status: 'timed_out', survivors: [] })
    expect(processesWith(marker)).toEqual([])
  })
})
