// Processes that a command leaves running and that do not become a job: killed ones, and all where no job can be.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { JobStore } from '../../lib/index.js'
import { endJobs } from '../support/jobs.js'
import { killLeftovers, processesWith, uniqueSleep, waitForSleep } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { waitFor } from '../support/wait-for.js'
import { callWithStore, sleepChild } from './left-running.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

describe('what is not adopted', () => {
  test('a command that leaves nothing has no job, and makes no directory', async () => {
    const { store, result } = await callWithStore('echo done')

    expect(result).not.toHaveProperty('jobId')
    expect(result).not.toHaveProperty('outputFile')
    expect(existsSync(store.directory)).toBe(false)
  })

  test('a timeout leaves nothing to adopt', async () => {
    const marker = uniqueSleep()
    const command = `sleep ${marker} & sleep ${marker}`
    const { store, result } = await callWithStore(command, { timeouts: { default: 500 } })

    expect(result).toMatchObject({ status: 'timed_out', survivors: [] })
    expect(result).not.toHaveProperty('jobId')
    expect(existsSync(store.directory)).toBe(false)
    expect(processesWith(marker)).toEqual([])
  })
})

describe('no directory for jobs', () => {
  test.each([
    ['below a file', () => join(__filename, 'jobs')],
    ['where nothing can be made', () => '/proc/bashward/jobs'],
    ['writable by others', () => '/tmp'],
  ])('%s: survivors are listed, and no more', async (_, directory) => {
    const marker = uniqueSleep()
    const jobs = new JobStore({ directory: directory() })
    const { result, text } = await callWithStore(`${sleepChild(marker)}; echo done`, { jobs })
    const [sleep] = await waitForSleep(marker)

    expect(text).toBe(`done\n[still running: ${sleep?.pid} (sleep ${marker}); to stop: kill ${sleep?.pid}]`)
    expect(result).not.toHaveProperty('jobId')
    expect(result).not.toHaveProperty('outputFile')
  })

  test('what they print does not end them', async () => {
    const ran = join(tempDir(), 'ran')
    const jobs = new JobStore({ directory: '/proc/bashward/jobs' })
    const command = `(sleep 0.5; seq 100000; echo on > '${ran}') & echo done`
    await callWithStore(command, { jobs })

    await waitFor(() => existsSync(ran) && readFileSync(ran, 'utf8') === 'on\n', {
      what: 'the child to come to its end',
    })
  })
})

describe('kill', () => {
  test('ends everything, daemons too, and there is no job', async () => {
    const marker = uniqueSleep()
    const command = `setsid -f sleep ${marker}; sleep ${marker} & echo done`
    const { store, result, text } = await callWithStore(command, { survivors: 'kill' })

    expect(text).toBe('done\n')
    expect(result.survivors).toEqual([])
    expect(result).not.toHaveProperty('jobId')
    expect(existsSync(store.directory)).toBe(false)
    expect(processesWith(marker)).toEqual([])
  })
})
