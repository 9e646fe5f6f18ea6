// Row 1: a background child that holds the output open does not hold the call open.
import { run } from '../../lib/index.js'
import { isAlive, killLeftovers, uniqueSleep } from '../support/processes.js'

afterEach(killLeftovers)

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
    const marker = uniqueSleep()
    // The loop is a copy of bash, and is listed by the whole command, with the marker in its comment.
    const command = `(while :; do echo x; sleep .1; done) & echo done # ${marker}`
    const result = await run(command, { cwd: '/', timeout: 30_000 })
    // Its own arguments are hidden, and with them the marker by which leftovers are found.
    for (const { pid } of result.survivors) if (pid > 1 && isAlive(pid)) process.kill(pid, 'SIGKILL')

    expect(result).toMatchObject({ status: 'completed', exitCode: 0 })
    expect(result.output).toMatch(/^(x\n)*done\n(x\n)*$/)
    expect(result.durationMs).toBeLessThan(10_000)
    const loop = { pid: expect.any(Number), command: expect.stringContaining(command), daemon: false }
    const listed = result.survivors.filter((survivor) => survivor.command.includes(marker))
    expect(listed).toContainEqual(loop)
    // And a copy of it for the moment before it becomes the next sleep.
    expect(listed.length).toBeLessThanOrEqual(2)
  })
})
