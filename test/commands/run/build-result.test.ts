// Turns made-up completions of the addon into results: cases that no real command produces on demand.
import { constants } from 'node:os'
import { blankResult } from '../../../lib/commands/run/result.js'
import { type Completion, Outcome } from '../../../lib/processes/engine/completion.js'
import { build, completion, endedBy, exited, job, stream, usage } from './completions.js'

describe('blankResult', () => {
  test('has the command as it was given, and nothing of a run', () => {
    expect(blankResult('the command', 'invalid')).toEqual({
      status: 'invalid',
      command: 'the command',
      display: 'the command',
      output: '',
      exitCode: null,
      signal: null,
      durationMs: 0,
      outputBytes: 0,
      truncated: false,
      binary: false,
      sandbox: 'unrestricted',
      enforced: [],
      survivors: [],
      usage: null,
      removedEnv: [],
    })
  })

  test('is a new one each time', () => {
    const [first, second] = [blankResult('a', 'error'), blankResult('a', 'error')]
    first.survivors.push({ pid: 1, command: '', daemon: false })

    expect(second.survivors).toEqual([])
  })
})

describe('buildResult: the end of the command', () => {
  test.each([
    [0, 'completed'],
    [1, 'failed'],
    [255, 'failed'],
  ])('exit code %d is %s', (exitCode, status) => {
    expect(build(completion({ exited: { ...exited, exitCode } }))).toMatchObject({
      status,
      exitCode,
      signal: null,
    })
  })

  test.each([
    [constants.signals.SIGKILL, 'SIGKILL'],
    [constants.signals.SIGABRT, 'SIGABRT'],
    [constants.signals.SIGIO, 'SIGIO'],
    [constants.signals.SIGXCPU, 'SIGXCPU'],
    [34, 'signal 34'],
    [64, 'signal 64'],
  ])('signal %d is %s, and no exit code', (number, signal) => {
    expect(build(endedBy(number))).toMatchObject({ status: 'failed', exitCode: null, signal })
  })

  test('a timeout has its milliseconds, whatever bash made of SIGTERM', () => {
    const timedOut = completion({ outcome: Outcome.timedOut })

    expect(build(timedOut, { timeout: 1500 })).toMatchObject({
      status: 'timed_out',
      exitCode: 0,
      timeoutMs: 1500,
    })
  })

  test('a cancel has no timeout', () => {
    const result = build(completion({ outcome: Outcome.cancelled }), { timeout: 1500 })

    expect(result.status).toBe('cancelled')
    expect(result).not.toHaveProperty('timeoutMs')
  })

  test('a killed command of which no end is known has no exit code, no signal and no usage', () => {
    const unknown = completion({ outcome: Outcome.timedOut, exited: undefined })

    expect(build(unknown, { timeout: 1 })).toMatchObject({
      status: 'timed_out',
      exitCode: null,
      signal: null,
      usage: null,
    })
  })

  test('a lost supervisor is an error of the system, with the output so far', () => {
    const streams: Completion['streams'] = ['so far', '']
    const lost = completion({ outcome: Outcome.supervisorLost, exited: undefined, streams })

    expect(build(lost)).toMatchObject({
      status: 'error',
      output: 'so far',
      exitCode: null,
      error: { code: 'ERR_SUPERVISOR_LOST', message: expect.any(String) },
    })
  })

  test('a supervisor that did not answer is not said to have been killed by the command', () => {
    const silent = completion({
      outcome: Outcome.supervisorLost,
      errno: constants.errno.ETIMEDOUT,
      exited: undefined,
    })

    expect(build(silent).error?.message).toMatch(
      /did not answer in time, perhaps because the machine is overloaded/,
    )
  })

  test('a supervisor that is lost after the shell has ended well is no success either', () => {
    expect(build(completion({ outcome: Outcome.supervisorLost }))).toMatchObject({
      status: 'error',
      exitCode: null,
      error: { code: 'ERR_SUPERVISOR_LOST', message: expect.stringContaining('may still run') },
    })
  })

  test('a limit that was set and reached is named; the CPU time in both modes counts', () => {
    const spent = { ...usage, userMs: 3000, systemMs: 4000 }
    const busy = { exitCode: -1, signal: constants.signals.SIGXCPU, usage: spent }

    expect(build(completion({ exited: busy }), { limits: { cpuSeconds: 7 } })).toMatchObject({
      limit: 'cpu',
      limitValue: 7,
    })
    expect(build(endedBy(busy.signal), { limits: { cpuSeconds: 7 } })).not.toHaveProperty('limit')
  })
})

describe('buildResult: a command that did not start', () => {
  const failed = (step: string, errno: number): Completion =>
    completion({ outcome: Outcome.notStarted, pid: 0, step, errno, exited: undefined })
  const { ENOENT, EAGAIN } = constants.errno

  test('no working directory: ERR_WORKING_DIR with its path', () => {
    expect(() => build(failed('chdir', ENOENT), { cwd: '/nope' })).toThrow(
      expect.objectContaining({ code: 'ERR_WORKING_DIR', step: 'chdir', errno: ENOENT, path: '/nope' }),
    )
  })

  test('no shell: ERR_SPAWN with its path', () => {
    expect(() => build(failed('execve', ENOENT))).toThrow(
      expect.objectContaining({ code: 'ERR_SPAWN', step: 'execve', errno: ENOENT, path: '/bin/bash' }),
    )
  })

  test.each(['mkdir', 'open output', 'write job.json'])(
    'no job (%s): ERR_JOB_DIRECTORY with its directory',
    (step) => {
      expect(() => build(failed(step, ENOENT))).toThrow(
        expect.objectContaining({ code: 'ERR_JOB_DIRECTORY', step, errno: ENOENT, path: job.directory }),
      )
    },
  )

  test('another step: ERR_SPAWN without a path', () => {
    expect(() => build(failed('clone', EAGAIN))).toThrow(
      expect.objectContaining({ code: 'ERR_SPAWN', step: 'clone', errno: EAGAIN, path: undefined }),
    )
  })
})

describe('buildResult: survivors', () => {
  const survivor = { pid: 4712, command: 'sleep 300', daemon: false, holdsOutput: true }

  test('are listed as they are documented, with the ids of bash', () => {
    expect(build(completion({ survivors: [survivor] }))).toMatchObject({
      survivors: [{ pid: 4712, command: 'sleep 300', daemon: false }],
      pid: 4711,
      pgid: 4711,
    })
  })

  test('that are adopted have a job and its file', () => {
    expect(build(completion({ survivors: [survivor], adopted: true }))).toMatchObject({
      jobId: job.id,
      outputFile: '/jobs/bash_k3v9x2/output',
    })
  })

  test('that are not adopted have none', () => {
    const result = build(completion({ survivors: [survivor] }))

    expect(result).not.toHaveProperty('jobId')
    expect(result).not.toHaveProperty('outputFile')
  })

  test('without any, the ids of bash mean nothing any more and are left out', () => {
    const result = build(completion())

    expect(result.survivors).toEqual([])
    expect(result).not.toHaveProperty('pid')
    expect(result).not.toHaveProperty('pgid')
  })
})

describe('buildResult: a command that has become a job', () => {
  const backgroundAfter = 100

  test('goes on as that', () => {
    const result = build(completion({ outcome: Outcome.handedOver, isJob: true }), { backgroundAfter })

    expect(result).toMatchObject({ status: 'background', jobId: job.id, backgroundAfterMs: 100, pgid: 4711 })
  })

  test.each([
    ['cancelled', Outcome.cancelled],
    ['timed_out', Outcome.timedOut],
  ])('and was killed as that: %s, and the job has its output', (status, outcome) => {
    const result = build(completion({ outcome, isJob: true }), { backgroundAfter })

    expect(result).toMatchObject({ status, jobId: job.id, outputFile: '/jobs/bash_k3v9x2/output' })
    expect(result).not.toHaveProperty('backgroundAfterMs')
  })
})

describe('buildResult: output', () => {
  type Streams = Completion['streams']

  test('two streams: their texts and bytes, and both together', () => {
    const streams: Streams = ['out', stream('é')]

    expect(build(completion({ streams }), { streams: 'separate' })).toMatchObject({
      stdout: 'out',
      stdoutBytes: 3,
      stderr: 'é',
      stderrBytes: 2,
      output: 'outé',
      outputBytes: 5,
      truncated: false,
      binary: false,
    })
  })

  test.each<[string, Streams]>([
    ['stdout', [stream('a\0b'), '']],
    ['stderr', ['', stream('a\0b')]],
  ])('binary in %s alone is binary', (_, streams) => {
    expect(build(completion({ streams }), { streams: 'separate' }).binary).toBe(true)
  })

  test.each<[string, Streams]>([
    ['stdout', [stream('a', 200_000), '']],
    ['stderr', ['', stream('a', 200_000)]],
  ])('%s alone too long is truncated', (_, streams) => {
    expect(build(completion({ streams }), { streams: 'separate' })).toMatchObject({
      truncated: true,
      outputBytes: 200_000,
    })
  })

  test.each([
    ['as bytes', stream('10%\r\x1b[32m100%\x1b[0m\n')],
    ['as text', '10%\r\x1b[32m100%\x1b[0m\n'],
  ])('normalised, %s: the text that is shown, and the bytes that were printed', (_, first) => {
    expect(build(completion({ streams: [first, ''] }), { normalizeOutput: true })).toMatchObject({
      output: '100%\n',
      outputBytes: 18,
    })
  })

  test.each([131_072, 131_073, 200_000])(
    '%d bytes are bounded in the same way as bytes and as text',
    (length) => {
      const text = Array.from({ length }, (_, i) => String.fromCharCode(97 + (i % 26))).join('')
      const ofText = build(completion({ streams: [text, ''] }))
      const ofBytes = build(completion({ streams: [stream(text), ''] }))

      expect(ofText).toEqual(ofBytes)
      expect(ofText).toMatchObject({ outputBytes: length, truncated: length > 131_072 })
    },
  )
})
