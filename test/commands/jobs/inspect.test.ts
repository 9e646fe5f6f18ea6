// The state of a job, told from its files and from the process that watches over it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspectJob, mayHaveEnded } from '../../../lib/commands/jobs/inspect.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { jobsDirectory, startSleep, stopAll, writeExit, writeJob } from './job-files.js'

afterEach(async () => {
  await stopAll()
  removeTempDirs()
})

const id = 'bash_aaaaaa'

describe('inspectJob', () => {
  test('finds a job running while its supervisor lives', async () => {
    const root = jobsDirectory()
    const supervisor = await startSleep()
    const { output } = writeJob(root, id, { supervisor, output: 'hello', command: 'c', conversationId: 'v' })

    expect(inspectJob(root, id)).toEqual({
      id,
      status: 'running',
      record: expect.objectContaining({ command: 'c', conversationId: 'v', workingDir: '/tmp' }),
      outputFile: output,
      exitCode: null,
      signal: null,
      outputBytes: 5,
      droppedBytes: 0,
      lostBytes: 0,
      endedAt: null,
      exit: null,
    })
  })

  test.each([
    ['completed', 0, null],
    ['failed', 7, null],
    ['failed', null, 'SIGSEGV'],
    ['killed', null, 'SIGKILL'],
    ['timed_out', null, 'SIGTERM'],
  ] as const)('gives what exit.json says: %s, %p, %p', (status, exitCode, signal) => {
    const root = jobsDirectory()
    writeJob(root, id, { exit: { status, exitCode, signal, endedAt: 5, outputBytes: 9, droppedBytes: 4 } })

    const expected = { status, exitCode, signal, endedAt: 5, outputBytes: 9, droppedBytes: 4 }
    expect(inspectJob(root, id)).toMatchObject(expected)
    expect(inspectJob(root, id)).not.toHaveProperty('problem')
  })

  test('believes exit.json while the supervisor still lives', async () => {
    const root = jobsDirectory()
    writeJob(root, id, { supervisor: await startSleep(), exit: {} })

    expect(inspectJob(root, id)).toMatchObject({ status: 'completed' })
  })

  test('is lost when the supervisor has vanished', async () => {
    const root = jobsDirectory()
    const supervisor = await startSleep()
    writeJob(root, id, { supervisor, output: 'abc' })
    await supervisor.stop()

    expect(inspectJob(root, id)).toMatchObject({
      status: 'lost',
      exitCode: null,
      outputBytes: 3,
      endedAt: expect.any(Number),
      problem: 'its supervisor has ended without recording how the job did',
    })
  })

  test('is lost when another process has the supervisor’s pid', async () => {
    const root = jobsDirectory()
    const { pid, startTime } = await startSleep()
    writeJob(root, id, { supervisor: { pid, startTime: startTime + 1 } })

    expect(inspectJob(root, id)).toMatchObject({ status: 'lost' })
  })

  test('is lost after a reboot', async () => {
    const root = jobsDirectory()
    writeJob(root, id, { supervisor: await startSleep(), bootId: 'an earlier one' })

    expect(inspectJob(root, id)).toMatchObject({ status: 'lost' })
  })

  test.each(['', '{', '\0'.repeat(300), '{"version":1}'])('is lost when job.json is %j', (text) => {
    const root = jobsDirectory()
    const { record } = writeJob(root, id)
    writeFileSync(record, text)

    const problem = expect.stringContaining('job.json: ')
    expect(inspectJob(root, id)).toMatchObject({ status: 'lost', record: null, problem })
  })

  test('is lost when job.json is that of another job', () => {
    const root = jobsDirectory()
    writeJob(root, id, { id: 'bash_bbbbbb' })

    expect(inspectJob(root, id)).toMatchObject({
      status: 'lost',
      record: null,
      problem: 'job.json of bash_aaaaaa is that of bash_bbbbbb',
    })
  })

  test('gives the status in exit.json also when job.json is damaged', () => {
    const root = jobsDirectory()
    const { record } = writeJob(root, id, { exit: { status: 'failed', exitCode: 3 } })
    writeFileSync(record, '')

    expect(inspectJob(root, id)).toMatchObject({ status: 'failed', exitCode: 3, record: null })
  })

  test('is running when exit.json is damaged and the supervisor lives, else lost', async () => {
    const root = jobsDirectory()
    const supervisor = await startSleep()
    const { exit } = writeJob(root, id, { supervisor })
    writeFileSync(exit, '{"version":1,"sta')

    const problem = expect.stringContaining('exit.json: ')
    expect(inspectJob(root, id)).toMatchObject({ status: 'running', problem })
    await supervisor.stop()
    expect(inspectJob(root, id)).toMatchObject({ status: 'lost', problem })
  })

  test('says that output could not be written, and why', () => {
    const root = jobsDirectory()
    writeJob(root, id, { exit: { lostBytes: 12, lostErrno: 28 } })

    expect(inspectJob(root, id)).toMatchObject({
      status: 'completed',
      lostBytes: 12,
      problem: expect.stringMatching(
        /^12 bytes of output could not be written: write \/.*\/output: ENOSPC \(no space left on device\)$/,
      ),
    })
  })

  test('does not mind files that were being written', () => {
    const root = jobsDirectory()
    const { directory } = writeJob(root, id, { exit: {} })
    writeFileSync(join(directory, 'exit.json.tmp'), '{')
    writeFileSync(join(directory, 'job.json.tmp'), '{')

    expect(inspectJob(root, id)).toMatchObject({ status: 'completed' })
  })

  test('does without an output file', () => {
    const root = jobsDirectory()
    const { output } = writeJob(root, id)
    rmSync(output)

    expect(inspectJob(root, id)).toMatchObject({ status: 'lost', outputBytes: 0 })
  })

  test('knows no job without job.json', () => {
    const root = jobsDirectory()
    mkdirSync(join(root, id))

    expect(inspectJob(root, id)).toBeUndefined()
    expect(inspectJob(root, 'bash_bbbbbb')).toBeUndefined()
  })
})

describe('mayHaveEnded', () => {
  test('follows the supervisor and exit.json', async () => {
    const root = jobsDirectory()
    const supervisor = await startSleep()
    const paths = writeJob(root, id, { supervisor })
    const job = inspectJob(root, id)
    if (job === undefined) throw new Error('the job is not there')

    expect(mayHaveEnded(root, job)).toBe(false)
    writeExit(paths, {})
    expect(mayHaveEnded(root, job)).toBe(true)
    rmSync(paths.exit)
    await supervisor.stop()
    expect(mayHaveEnded(root, job)).toBe(true)
  })
})
