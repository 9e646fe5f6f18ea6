// From completions of commands in Restricted mode to results: failures of the sandbox, limits, refusals.
import { constants } from 'node:os'
import { type Completion, Outcome } from '../../../lib/processes/engine/completion.js'
import { build, completion, endedBy, usage } from './completions.js'

describe('buildResult, in Restricted mode', () => {
  const notStarted = (step: string, errno: number) =>
    completion({ outcome: Outcome.notStarted, pid: 0, step, errno, exited: undefined })
  const restricted = { sandbox: 'restricted', scratch: { directory: '/scratch' } } as const

  test.each([
    'landlock_create_ruleset',
    'landlock_add_rule',
    'landlock_restrict_self',
    'prctl PR_SET_NO_NEW_PRIVS',
    'capset',
    'setrlimit',
    'seccomp',
    'close descriptors',
  ])('%s that fails is a failure of the sandbox, with the step and the error', (step) => {
    expect(() => build(notStarted(step, constants.errno.E2BIG), restricted)).toThrow(
      expect.objectContaining({
        code: 'ERR_SANDBOX_SETUP',
        step,
        errno: constants.errno.E2BIG,
        message: `${step}: E2BIG (argument list too long)`,
      }),
    )
  })

  test('a scratch directory that cannot be made is named', () => {
    expect(() => build(notStarted('mkdir scratch', constants.errno.ENOSPC), restricted)).toThrow(
      expect.objectContaining({
        code: 'ERR_SANDBOX_SETUP',
        path: expect.stringMatching(/^\/scratch\/bashward-scratch-/),
      }),
    )
  })

  test.each(['clone', 'execve', 'setsid'])('%s that fails has nothing to do with the sandbox', (step) => {
    expect(() => build(notStarted(step, constants.errno.EAGAIN), restricted)).toThrow(
      expect.objectContaining({ code: 'ERR_SPAWN', step }),
    )
  })

  test('a failure that setrlimit has in Unrestricted mode is none of the sandbox', () => {
    expect(() => build(notStarted('setrlimit', constants.errno.EPERM))).toThrow(
      expect.objectContaining({ code: 'ERR_SPAWN' }),
    )
  })

  test('the default limits can fire', () => {
    const xcpu = { exited: { exitCode: -1, signal: 24, usage: { ...usage, userMs: 3_600_000 } } }

    expect(build(completion(xcpu), restricted)).toMatchObject({ limit: 'cpu', limitValue: 3600 })
    expect(build(completion(xcpu))).not.toHaveProperty('limit')
  })

  test('a scratch directory that was full is the limit of its size', () => {
    expect(build({ ...endedBy(9), scratchFull: true }, restricted)).toMatchObject({
      status: 'failed',
      signal: 'SIGKILL',
      limit: 'scratch',
      limitValue: 256 * 1024 ** 2,
    })
  })

  test('a file that was as large as the whole scratch directory may be is the same limit', () => {
    expect(build(endedBy(25), restricted)).toMatchObject({ limit: 'scratch', limitValue: 256 * 1024 ** 2 })
  })

  test('a file that was larger than files may be is the limit of files', () => {
    const options = { ...restricted, limits: { fileSizeBytes: 4096 } }

    expect(build(endedBy(25), options)).toMatchObject({ limit: 'fileSize', limitValue: 4096 })
  })

  test('a timeout may have had its cause in a refusal, too', () => {
    const streams: Completion['streams'] = ['curl: (6) Could not resolve host: example.com\n', '']

    expect(build(completion({ outcome: Outcome.timedOut, streams }), restricted)).toMatchObject({
      status: 'timed_out',
      denied: 'network is blocked in Restricted mode',
    })
  })

  describe('words of a failure', () => {
    const failing = (output: string, maxRssBytes = 3_000_000) =>
      completion({
        exited: { exitCode: 1, signal: 0, usage: { ...usage, maxRssBytes } },
        streams: [output, ''],
      })
    const noMemory = 'python3: MemoryError\n'

    test('are no proof of a default limit of memory that was far away', () => {
      expect(build(failing(noMemory), restricted)).not.toHaveProperty('limit')
      expect(build(failing(noMemory, 3 * 1024 ** 3), restricted)).toMatchObject({ limit: 'memory' })
      expect(build(failing(noMemory), { ...restricted, limits: { memoryBytes: 2 ** 26 } })).toMatchObject({
        limit: 'memory',
        limitValue: 2 ** 26,
      })
    })

    test('of missing processes say nothing for root, whose processes are not counted', () => {
      const result = build(failing('bash: fork: Resource temporarily unavailable\n'), restricted)

      expect(result.limit).toBe(process.getuid?.() === 0 ? undefined : 'processes')
    })
  })
})
