// bashward run --mode background: a job that goes on by itself.
import { killLeftovers, uniqueSleep, waitForSleep, waitUntilGone } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { bashward } from './in-process.js'
import { jobsOfTest, killPrograms } from './program.js'

afterEach(async () => {
  await killPrograms()
  killLeftovers()
  removeTempDirs()
})

describe('bashward run --mode background', () => {
  test('prints what the model reads, and leaves the job running', async () => {
    const marker = uniqueSleep()
    const exit = await bashward(['run', '--mode', 'background', `sleep ${marker}`])
    const [job] = await jobsOfTest().list()

    expect(job).toMatchObject({ status: 'running', record: { adopted: false, timeoutMs: 86_400_000 } })
    const pid = job?.record?.pid
    expect(exit).toEqual({
      code: 0,
      signal: null,
      stdout:
        `<pid>${pid}</pid>\n<output_file>${job?.outputFile}</output_file>\n` +
        `<reminder>To stop: kill -9 -${pid}</reminder>\n`,
      stderr: '',
    })
    await waitForSleep(marker)
  })

  test('--timeout ends the job', async () => {
    const marker = uniqueSleep()
    await bashward(['run', '--mode', 'background', '--timeout', '0.5', `sleep ${marker}`])
    const [job] = await jobsOfTest().list()

    expect(job?.record?.timeoutMs).toBe(500)
    expect(await jobsOfTest().wait(job?.id ?? '', { timeoutMs: 20_000 })).toMatchObject({
      status: 'timed_out',
    })
    await waitUntilGone(marker)
  })

  test('runs in the directory of --cwd', async () => {
    const cwd = tempDir()
    await bashward(['run', '--mode', 'background', '--cwd', cwd, 'pwd'])
    const [job] = await jobsOfTest().list()
    await jobsOfTest().wait(job?.id ?? '', { timeoutMs: 20_000 })

    expect(await jobsOfTest().read(job?.id ?? '')).toMatchObject({ output: `${cwd}\n` })
  })

  test('a job that cannot be started is an error on stderr', async () => {
    const cwd = '/no/such/directory'
    expect(await bashward(['run', '--mode', 'background', '--cwd', cwd, 'true'])).toMatchObject({
      code: 125,
      stdout: '',
      stderr: '[system error: chdir /no/such/directory: ENOENT (no such file or directory)]\n',
    })
  })

  test('of the suite prints its own text', async () => {
    const { code, stdout } = await bashward(['run', '--profile', 'suite', '--mode', 'background', 'true'])
    const [job] = await jobsOfTest().list()

    expect(code).toBe(0)
    expect(stdout).toContain(`<bash_id>${job?.id}</bash_id>\n`)
  })
})
