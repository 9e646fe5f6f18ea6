// A worker that is killed, or restarted: what its clients are told, and how often commands have run.

import { processesWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { waitFor } from '../../support/wait-for.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { context, TestFleet } from './test-fleet.js'

endFleets()

describe('a worker that is killed', () => {
  fleetTest('leaves no command, and nobody knows what became of it; it does not run again', async () => {
    const fleet = await TestFleet.start({ workers: [] })
    const worker = await fleet.worker('w1')
    const bash = (await fleet.client()).tool()
    const call = context('c1')
    const marker = uniqueSleep()
    const command = fleet.noting('a', `sleep ${marker}`)
    const running = bash.execute({ command }, call)
    await waitForSleep(marker)
    worker.kill('SIGKILL')
    const result = await running
    await waitFor(() => processesWith(marker).length === 0, { what: 'the command to end' })
    const again = await bash.execute({ command }, call)
    await fleet.worker('w1')
    const later = await bash.execute({ command }, call)

    expect(result).toMatchObject({ status: 'error', error: { code: 'ERR_WORKER_LOST' } })
    expect(bash.toText(result)).toContain('look before you repeat it')
    expect(again.error?.code).toBe('ERR_NO_WORKER')
    expect(later.error?.code).toBe('ERR_WORKER_LOST')
    expect(fleet.runs('a')).toBe(1)
  })

  fleetTest('and is there again at once says what its disk knows', async () => {
    const fleet = await TestFleet.start({ workers: [] })
    // Until then it does not count as gone.
    const worker = await fleet.worker('w1', ['--ttl', '60'])
    const bash = (await fleet.client()).tool()
    const command = fleet.waiting('a')
    const running = bash.execute({ command }, context('c1'))
    await fleet.begun('a')
    worker.kill('SIGKILL')
    await worker.exited()
    await fleet.worker('w1')
    const result = await running
    const next = await bash.execute({ command: 'echo next' }, context('c1'))

    expect(result.error).toMatchObject({
      code: 'ERR_WORKER_LOST',
      message: expect.stringContaining('killed with it'),
    })
    expect(next.output).toBe('next\n')
    expect(fleet.runs('a')).toBe(1)
  })

  fleetTest('and whose name another machine has taken is not spoken for by that one’s disk', async () => {
    const fleet = await TestFleet.start({ workers: [] })
    const worker = await fleet.worker('w1', ['--ttl', '60'])
    // Looks that are far apart, and an inbox that tells nothing of the start.
    const slow = { beatMs: 60_000, aliveMs: 600_000, watchMs: 4000, patienceMs: 60_000 }
    const bash = (await fleet.client({ timings: slow })).tool()
    await fleet.redis.client.del(...(await fleet.redis.client.keys('{bw:in:*}')))
    const running = bash.execute({ command: fleet.waiting('a') }, context('c1'))
    await fleet.begun('a')
    worker.kill('SIGKILL')
    await worker.exited()
    await fleet.redis.client.del('{bw:w1}:node')
    await fleet.worker('w1', ['--state', fleet.state('other')])
    const result = await running

    expect(result.error?.code).toBe('ERR_WORKER_LOST')
    expect(fleet.runs('a')).toBe(1)
  })

  fleetTest('and whose name another machine has taken: attach() does not say that nothing ran', async () => {
    const fleet = await TestFleet.start({ workers: [] })
    const worker = await fleet.worker('w1')
    const call = context('c1')
    await (await fleet.client()).tool().execute({ command: fleet.noting('a') }, call)
    worker.kill('SIGKILL')
    await worker.exited()
    const redis = fleet.redis.client
    await redis.del('{bw:w1}:node', ...(await redis.keys('{bw:w1}:res:*')))
    await fleet.worker('w1', ['--state', fleet.state('other')])

    await expect((await fleet.client()).attach('c1', call.toolCallId)).rejects.toMatchObject({
      code: 'ERR_NO_WORKER',
      message: expect.stringContaining('another disk'),
    })
  })

  fleetTest(
    'and whose disk was replaced: nothing begins anew there before the conversation is given up',
    async () => {
      const fleet = await TestFleet.start({ workers: [] })
      const worker = await fleet.worker('w1')
      const first = await fleet.client({ place: () => 'w1' })
      const call = context('c1')
      const command = fleet.noting('a')
      await first.tool().execute({ command }, call)
      worker.kill('SIGKILL')
      await worker.exited()
      const redis = fleet.redis.client
      await redis.del(
        '{bw:w1}:node',
        ...(await redis.keys('{bw:w1}:res:*')),
        ...(await redis.keys('{bw:w1}:exec:*')),
      )
      await fleet.worker('w1', ['--state', fleet.state('other')])
      const second = await fleet.client()
      const answers = await Promise.all(
        [first, second].map(async (client) => {
          const again = await client.tool().execute({ command }, call)
          const read = await client.suite().bashOutput.execute({ bash_id: 'ab12cd34' }, context('c1'))
          return [again.error?.code, read.error?.code]
        }),
      )

      expect(answers).toEqual([
        ['ERR_NO_WORKER', 'ERR_NO_WORKER'],
        ['ERR_NO_WORKER', 'ERR_NO_WORKER'],
      ])
      await expect(second.release('c1')).rejects.toMatchObject({
        code: 'ERR_NO_WORKER',
        message: expect.stringContaining('abandon'),
      })
      expect(fleet.runs('a')).toBe(1)
      expect(await second.release('c1', { abandon: true })).toBe(true)
      expect((await second.tool().execute({ command: 'echo anew' }, context('c1'))).output).toBe('anew\n')
    },
  )

  fleetTest('and was not there when it was chosen: the disk that comes is the conversation’s', async () => {
    const fleet = await TestFleet.start({ workers: ['w2'] })
    const client = await fleet.client({ place: () => 'w1' })
    const bash = client.tool()
    const none = await bash.execute({ command: 'true' }, context('c1'))
    const worker = await fleet.worker('w1')
    const first = await bash.execute({ command: 'echo one' }, context('c1'))
    worker.kill('SIGKILL')
    await worker.exited()
    await fleet.redis.client.del('{bw:w1}:node')
    await fleet.worker('w1', ['--state', fleet.state('other')])
    const second = await bash.execute({ command: 'echo two' }, context('c1'))

    expect([none.error?.code, first.output, second.error?.code]).toEqual([
      'ERR_NO_WORKER',
      'one\n',
      'ERR_NO_WORKER',
    ])
  })

  fleetTest('does not start what was sent after that, nor when it is there again', async () => {
    const fleet = await TestFleet.start({ workers: [] })
    const worker = await fleet.worker('w1')
    const bash = (await fleet.client()).tool()
    await bash.execute({ command: 'true' }, context('c1'))
    worker.kill('SIGSTOP')
    const sent = bash.execute({ command: fleet.noting('late') }, context('c1'))
    worker.kill('SIGKILL')
    const result = await sent
    await fleet.worker('w1')
    const next = await bash.execute({ command: 'echo next' }, context('c1'))

    expect(['ERR_NOT_STARTED', 'ERR_NO_WORKER']).toContain(result.error?.code)
    expect(next.output).toBe('next\n')
    expect(fleet.runs('late')).toBe(0)
  })

  fleetTest(
    'leaves its background jobs running: they can be read and killed when it is there again',
    async () => {
      const fleet = await TestFleet.start({ workers: [] })
      const worker = await fleet.worker('w1')
      const { bash, bashOutput, killBash } = (await fleet.client()).suite()
      const marker = uniqueSleep()
      const command = `echo begun; sleep ${marker}; true`
      const call = context('c1')
      const job = await bash.execute({ command, run_in_background: true }, call)
      await waitForSleep(marker)
      worker.kill('SIGKILL')
      await worker.exited()
      await fleet.worker('w1')
      const again = await bash.execute({ command, run_in_background: true }, call)
      const read = await bashOutput.execute({ bash_id: job.jobId ?? '' }, context('c1'))
      const killed = await killBash.execute({ bash_id: job.jobId ?? '' }, context('c1'))

      expect(again).toMatchObject({ status: 'background', jobId: job.jobId, replayed: true })
      expect(read).toMatchObject({ status: 'running', output: 'begun\n' })
      expect(killed.status).toBe('killed')
      await waitFor(() => processesWith(marker).length === 0, { what: 'the job to end' })
    },
  )
})

describe('the session of a worker that is killed', () => {
  const afterRestart = async (args: string[]) => {
    const fleet = await TestFleet.start({ workers: [] })
    const worker = await fleet.worker('w1', args)
    const { bash } = (await fleet.client()).suite()
    await bash.execute(
      { command: 'mkdir -p src; cd src; x=kept; greet() { echo "hello $1"; }' },
      context('c1'),
    )
    worker.kill('SIGKILL')
    await worker.exited()
    await fleet.worker('w1', args)
    const first = await bash.execute({ command: 'greet "$x"; basename "$PWD"' }, context('c1'))
    const second = await bash.execute({ command: 'true' }, context('c1'))
    return { first, texts: [first, second].map(bash.toText) }
  }

  fleetTest('is as it was, with a key that seals it', async () => {
    const { first, texts } = await afterRestart(['--session-key-fd', '4'])

    expect(first).toMatchObject({ status: 'completed', output: 'hello kept\nsrc\n' })
    expect(texts[0]).not.toContain('session reset')
  })

  fleetTest('is gone without one, and the model is told once', async () => {
    const { first, texts } = await afterRestart([])

    expect(first.exitCode).not.toBe(null)
    expect(texts[0]).toContain(
      '[session reset: variables, functions and the directory are as at its beginning',
    )
    expect(texts[1]).toBe('[no output]')
  })

  fleetTest('is not believed when somebody has changed it', async () => {
    const { readdirSync, readFileSync, writeFileSync } = await import('node:fs')
    const fleet = await TestFleet.start({ workers: [] })
    const args = ['--session-key-fd', '4']
    const worker = await fleet.worker('w1', args)
    const { bash } = (await fleet.client()).suite()
    await bash.execute({ command: 'x=kept' }, context('c1'))
    worker.kill('SIGKILL')
    await worker.exited()
    const directory = `${fleet.state('w1')}/sessions`
    const file = `${directory}/${readdirSync(directory)[0]}`
    const bytes = readFileSync(file)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    writeFileSync(file, bytes)
    await fleet.worker('w1', args)
    const next = await bash.execute({ command: 'echo "${x-nothing}"' }, context('c1'))

    expect(next.output).toBe('nothing\n')
    expect(next.fleet?.sessionReset).toContain('changed or cut')
  })
})

describe('a second process', () => {
  fleetTest('with the state directory of a worker does not start', async () => {
    const fleet = await TestFleet.start()
    const second = fleet.startWorker('w1')

    expect(await second.exited()).toBe(3)
    expect(second.stderr()).toContain('state directory')
  })

  fleetTest('with the name of a worker, on another disk, does not start', async () => {
    const fleet = await TestFleet.start()
    const second = fleet.startWorker('w1', ['--state', fleet.state('other')])

    expect(await second.exited()).toBe(3)
    expect(second.stderr()).toContain('another process has the name w1')
    expect((await (await fleet.client()).tool().execute({ command: 'echo ok' }, context('c1'))).output).toBe(
      'ok\n',
    )
  })
})
