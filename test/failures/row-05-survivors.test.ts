// Row 5: what happens to survivors is the caller's choice, and the result tells the truth about it.
import { createBashTool, run } from '../../lib/index.js'
import { endJobs, tempStore } from '../support/jobs.js'
import { isAlive, killLeftovers, processesWith, uniqueSleep } from '../support/processes.js'
import { removeTempDirs } from '../support/temp-dir.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

/** As daemon(3) does it: a child's child in a session of its own, without the output. It has begun when the command goes on. */
const doubleFork = (marker: string): string =>
  `(setsid bash -c '(exec sleep ${marker}) & exit' </dev/null >/dev/null 2>&1 &); ` +
  `until pgrep -xf 'sleep ${marker}'; do sleep .01; done >/dev/null`

describe('row 5: `nohup sleep 300 >/dev/null 2>&1 &`', () => {
  test('adopt: it is left running, and listed', async () => {
    const marker = uniqueSleep()
    const command = `nohup sleep ${marker} >/dev/null 2>&1 &`
    const result = await run(command, { cwd: '/', survivors: 'adopt' })

    expect(result).toMatchObject({ status: 'completed', exitCode: 0 })
    expect(result.survivors).toEqual([
      { pid: expect.any(Number), command: expect.stringContaining(marker), daemon: expect.any(Boolean) },
    ])
    expect(isAlive(result.survivors[0]?.pid ?? 0)).toBe(true)
  })

  test('adopt is the default', async () => {
    const marker = uniqueSleep()
    const result = await run(`nohup sleep ${marker} >/dev/null 2>&1 &`, { cwd: '/' })

    expect(result.survivors).toHaveLength(1)
    expect(isAlive(result.survivors[0]?.pid ?? 0)).toBe(true)
  })

  test('adopt: it is a job, which can be found, and killed', async () => {
    const marker = uniqueSleep()
    const jobs = tempStore()
    const tool = createBashTool({ jobs })
    const command = `nohup sleep ${marker} >/dev/null 2>&1 & until pgrep -xf 'sleep ${marker}'; do sleep .01; done`
    const result = await tool.execute({ command: `${command} >/dev/null` }, { workingDir: '/' })
    const { jobId = '' } = result

    expect(tool.toText(result)).toMatch(new RegExp(`^\\[no output\\]\\n\\[still running as job ${jobId}: `))
    expect(await jobs.get(jobId)).toMatchObject({ status: 'running', record: { adopted: true } })
    expect(await jobs.kill(jobId)).toEqual({ status: 'killed' })
    expect(processesWith(marker)).toEqual([])
  })

  test('adopt: a daemon with its own session and its output closed is listed as a daemon', async () => {
    const marker = uniqueSleep()
    // Waits until the child is a daemon: setsid(1) may have made the child, but not yet the session.
    const settled = `until pgrep -xf 'sleep ${marker}'; do sleep .01; done`
    const command = `setsid -f sleep ${marker} </dev/null >/dev/null 2>&1; ${settled} >/dev/null; echo started`
    const result = await run(command, { cwd: '/' })

    expect(result).toMatchObject({ status: 'completed', output: 'started\n' })
    expect(result.survivors).toEqual([{ pid: expect.any(Number), command: `sleep ${marker}`, daemon: true }])
  })

  test('adopt: a server that has made itself a daemon is named, listed and killed', async () => {
    const jobs = tempStore()
    const tool = createBashTool({ jobs })
    const result = await tool.execute(
      { command: `${doubleFork(uniqueSleep())}; echo started` },
      { workingDir: '/' },
    )
    const [daemon] = result.survivors
    const { jobId = '', pgid } = result

    expect(daemon).toMatchObject({ command: expect.stringContaining('sleep'), daemon: true })
    expect(tool.toText(result)).toBe(
      `started\n[still running as job ${jobId}: ${daemon?.pid} (daemon: ${daemon?.command}); to stop: kill -9 -${pgid}]`,
    )
    expect((await jobs.list()).map(({ id, status }) => [id, status])).toEqual([[jobId, 'running']])
    const killed = await tool.execute({ command: `kill -9 -${pgid}` }, { workingDir: '/' })
    expect(killed).toMatchObject({ status: 'completed', output: expect.stringContaining(jobId) })
    expect(isAlive(daemon?.pid ?? 0)).toBe(false)
  })

  test('kill: it is gone when the call returns', async () => {
    const marker = uniqueSleep()
    const command = `nohup sleep ${marker} >/dev/null 2>&1 & setsid -f sleep ${marker}; echo started`
    const result = await run(command, { cwd: '/', survivors: 'kill' })

    expect(result).toMatchObject({ status: 'completed', exitCode: 0, output: 'started\n', survivors: [] })
    expect(processesWith(marker)).toEqual([])
  })
})
