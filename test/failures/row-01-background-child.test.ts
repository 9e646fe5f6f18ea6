// Row 1: a background child that holds the output open does not hold the call open.
import { run } from '../../lib/index.js'
import { isAlive, killLeftovers, uniqueSleep } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(killLeftovers)
afterAll(removeTempDirs)

describe('row 1: a background child keeps the output open', () => {
  test('`sleep 300 & echo done` returns at once, completed, and lists the sleep', async () => {
    const marker = uniqueSleep()
    const result = await run(`sleep ${marker} & echo done`, { cwd: '/', timeout: 30_000 })

    expect(result).toMatchObject({ status: 'completed', exitCode: 0, output: 'done\n' })
    expect(result.durationMs).toBeLessThan(10_000)
    // The copy of bash that is about to become the sleep carries the marker, too.
    expect(result.survivors).toEqual([
      { pid: expect.any(Number), command: expect.stringContaining(`sleep ${marker}`), daemon: false },
    ])
    expect(isAlive(result.survivors[0]?.pid ?? 0)).toBe(true)
  })

  test('a background loop that goes on printing does not hold the call', async () => {
    // The loop ends with the directory. By its arguments it would not be found: they are hidden.
    const directory = tempDir()
    const command = `(while [ -d ${directory} ]; do echo x; sleep .1; done) & echo done`
    const result = await run(command, { cwd: '/', timeout: 30_000 })

    expect(result).toMatchObject({ status: 'completed', exitCode: 0 })
    expect(result.output).toMatch(/^(x\n)*done\n(x\n)*$/)
    expect(result.durationMs).toBeLessThan(10_000)
    const loop = { pid: expect.any(Number), command: expect.stringContaining(command), daemon: false }
    const listed = result.survivors.filter((survivor) => survivor.command.includes(directory))
    expect(listed).toContainEqual(loop)
    // And a copy of it for the moment before it becomes the next sleep.
    expect(listed.length).toBeLessThanOrEqual(2)
  })
})
