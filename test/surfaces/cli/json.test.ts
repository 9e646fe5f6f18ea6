import type { BashResult } from '../../../lib/index.js'
import { bashward } from './in-process.js'
import { killPrograms } from './program.js'

afterEach(killPrograms)

/** Runs with --json; the test fails when there is anything else on stdout or stderr. */
const resultOf = async (...args: string[]): Promise<BashResult> => {
  const { stdout, stderr } = await bashward(['run', '--json', ...args])
  expect(stderr).toBe('')
  expect(stdout.endsWith('}\n')).toBe(true)
  return JSON.parse(stdout) as BashResult
}

describe('bashward run --json', () => {
  test('prints the result as one document', async () => {
    expect(await resultOf('echo out; echo err >&2; exit 3')).toMatchObject({
      status: 'failed',
      command: 'echo out; echo err >&2; exit 3',
      output: 'out\nerr\n',
      exitCode: 3,
      signal: null,
      outputBytes: 8,
      truncated: false,
      survivors: [],
    })
  })

  test('a flood and binary output are valid JSON', async () => {
    expect(await resultOf('seq 400000')).toMatchObject({ truncated: true, outputBytes: 2_688_895 })
    expect(await resultOf('head -c 5000 /bin/sh')).toMatchObject({ binary: true, outputBytes: 5000 })
  })

  test('a timeout is a result', async () => {
    expect(await resultOf('--timeout', '1.5', 'echo partial; sleep 30')).toMatchObject({
      status: 'timed_out',
      timeoutMs: 1500,
      output: 'partial\n',
    })
  })

  test('a failure of the system is a result', async () => {
    expect(await resultOf('--cwd', '/no/such/directory', 'true')).toMatchObject({
      status: 'error',
      error: { code: 'ERR_WORKING_DIR', message: expect.stringContaining('/no/such/directory') },
    })
  })

  test('a job that has been started is a result', async () => {
    expect(await resultOf('--mode', 'background', 'true')).toMatchObject({
      status: 'background',
      pid: expect.any(Number),
      jobId: expect.stringMatching(/^bash_/),
      outputFile: expect.stringMatching(/\/output$/),
    })
  })
})
