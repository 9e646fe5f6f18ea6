// Row 6: a background job does not depend on its host, and any other host can take it over.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BashResult, Job, JobOutput, KillJobResult } from '../../../lib/index.js'
import { runHost, startHost } from '../../support/host.js'
import { uniqueSleep, waitForSleep, waitUntilGone } from '../../support/processes.js'
import { tempDir } from '../../support/temp-dir.js'
import { gate, leaveNothing, liveStore, textOf } from './live-jobs.js'

afterEach(leaveNothing)

interface TakenOver {
  listed: Job[]
  output: JobOutput
  waited: Job
  killed: KillJobResult
  after: Job
}

/** A host with the given jobs that was killed once they had all started. */
const killedHost = async (background: string[]) => {
  const directory = join(tempDir(), 'jobs')
  const store = liveStore(directory)
  const host = startHost('jobs-start', { argument: { directory, background, stay: true } })
  const started = await host.report<BashResult[]>('started')
  host.kill('SIGKILL')
  await host.exited()
  const ids = started.map(({ jobId = '' }) => jobId)
  return { directory, store, started, ids }
}

test('the foreground command is gone within two seconds, the background job lives on', async () => {
  const [foreground, background] = [uniqueSleep(), uniqueSleep()]
  const directory = join(tempDir(), 'jobs')
  const store = liveStore(directory)
  const argument = { directory, background: [`sleep ${background}`], foreground: [`sleep ${foreground}`] }
  const host = startHost('jobs-start', { argument })
  await waitForSleep(foreground)
  await waitForSleep(background)
  host.kill('SIGKILL')

  await waitUntilGone(foreground, 2000)
  await waitForSleep(background)
  expect(await store.list()).toMatchObject([{ status: 'running', record: { adopted: false } }])
})

test('the job runs to its end, and its supervisor writes the status line and exit.json', async () => {
  const { wait, open } = gate()
  const { directory, store, started, ids } = await killedHost([`${wait}; echo finished; exit 3`])
  const [id = ''] = ids
  open()

  expect(await store.wait(id, { timeoutMs: 20_000 })).toMatchObject({ status: 'failed', exitCode: 3 })
  const file = started[0]?.outputFile ?? ''
  expect(textOf(file)).toBe('finished\n\n\n[background process failed: exit code 3]')
  expect(JSON.parse(readFileSync(join(directory, id, 'exit.json'), 'utf8'))).toMatchObject({
    version: 1,
    status: 'failed',
    exitCode: 3,
    signal: null,
    outputBytes: 9,
    droppedBytes: 0,
    lostBytes: 0,
  })
})

test('a new host lists, reads, waits for and kills the jobs of the dead one', async () => {
  const marker = uniqueSleep()
  const { wait, open } = gate()
  const { directory, ids } = await killedHost([`echo printed; ${wait}`, `sleep ${marker} & sleep ${marker}`])
  const [ending = '', endless = ''] = ids
  open()
  const { listed, output, waited, killed, after } = await runHost<TakenOver>('jobs-take-over', {
    argument: { directory, read: ending, wait: ending, kill: endless },
  })

  const owners = new Map(listed.map(({ id, record }) => [id, record?.conversationId]))
  expect(owners).toEqual(new Map(ids.map((id) => [id, 'first host'])))
  expect(output.output).toBe('printed\n')
  expect(waited).toMatchObject({ status: 'completed', exitCode: 0 })
  expect(killed).toEqual({ status: 'killed' })
  expect(after).toMatchObject({ status: 'killed', signal: 'SIGTERM' })
  await waitUntilGone(marker)
})

test('a signal to the process group of the host does not reach the job', async () => {
  const marker = uniqueSleep()
  const directory = join(tempDir(), 'jobs')
  const store = liveStore(directory)
  const argument = { directory, background: [`sleep ${marker}`], stay: true }
  const host = startHost('jobs-start', { argument })
  await host.report('started')
  // As Ctrl-C on its terminal does.
  process.kill(-host.pid, 'SIGINT')

  expect(await host.exited()).toEqual({ code: null, signal: 'SIGINT' })
  expect(await store.list()).toMatchObject([{ status: 'running' }])
  await waitForSleep(marker)
})

test('a host that has only started a job ends by itself, and the job goes on', async () => {
  const marker = uniqueSleep()
  const directory = join(tempDir(), 'jobs')
  const store = liveStore(directory)
  const host = startHost('jobs-start', { argument: { directory, background: [`sleep ${marker}`] } })

  expect(await host.exited()).toEqual({ code: 0, signal: null })
  expect(await store.list()).toMatchObject([{ status: 'running' }])
  await waitForSleep(marker)
})

test('survivors of a foreground command that were adopted live on as well', async () => {
  const { wait, open } = gate()
  const directory = join(tempDir(), 'jobs')
  const store = liveStore(directory)
  const argument = { directory, foreground: [`(${wait}; echo more) & echo done`], stay: true }
  const host = startHost('jobs-start', { argument })
  const [result] = await host.report<BashResult[]>('finished')
  host.kill('SIGKILL')
  await host.exited()
  const { jobId: id = '', outputFile = '' } = result ?? {}

  expect(await store.get(id)).toMatchObject({ status: 'running', record: { adopted: true } })
  open()
  expect(await store.wait(id, { timeoutMs: 20_000 })).toMatchObject({ status: 'completed' })
  expect(textOf(outputFile)).toBe('more\n\n\n[background process completed]')
})

test('the supervisor does not stay in the directory of its host', async () => {
  const directory = join(tempDir(), 'jobs')
  const store = liveStore(directory)
  const argument = { directory, background: ['readlink /proc/$PPID/cwd'] }
  await runHost('jobs-start', { argument, cwd: tempDir() })
  const id = (await store.list())[0]?.id ?? ''
  await store.wait(id, { timeoutMs: 20_000 })

  expect((await store.read(id)).output).toBe('/\n')
})
