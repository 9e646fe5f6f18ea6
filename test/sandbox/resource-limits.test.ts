// Limits as they are checked, handed to the engine, and recognised in a command's end.
import { checkLimits, encodeLimits, firedLimit, restrictedLimits } from '../../lib/sandbox/resource-limits.js'

describe('checkLimits', () => {
  test('absent limits are no limits', () => {
    expect(checkLimits('limits', undefined)).toEqual({})
  })

  test.each([
    { cpuSeconds: 1 },
    { cpuSeconds: 31_536_000 },
    { memoryBytes: 1024 * 1024 },
    { memoryBytes: Number.MAX_SAFE_INTEGER },
    { fileSizeBytes: 0 },
    { fileSizeBytes: Number.MAX_SAFE_INTEGER },
    { openFiles: 16 },
    { openFiles: 1_048_576 },
    { processes: 1 },
    { processes: 1_000_000 },
    { cpuSeconds: undefined },
  ])('the ends of the ranges are allowed: %j', (limits) => {
    expect(checkLimits('limits', limits)).toEqual(limits)
  })

  test.each([
    [{ cpuSeconds: 0 }, 'limits.cpuSeconds: must be an integer from 1 to 31536000 (got 0)'],
    [{ cpuSeconds: 31_536_001 }, 'limits.cpuSeconds: must be an integer from 1 to 31536000 (got 31536001)'],
    [{ cpuSeconds: 1.5 }, 'limits.cpuSeconds: must be an integer from 1 to 31536000 (got 1.5)'],
    [
      { memoryBytes: 1024 * 1024 - 1 },
      'limits.memoryBytes: must be an integer from 1048576 to 9007199254740991 (got 1048575)',
    ],
    [{ fileSizeBytes: -1 }, 'limits.fileSizeBytes: must be an integer from 0 to 9007199254740991 (got -1)'],
    [
      { fileSizeBytes: '1MB' },
      'limits.fileSizeBytes: must be an integer from 0 to 9007199254740991 (got "1MB")',
    ],
    [{ openFiles: 15 }, 'limits.openFiles: must be an integer from 16 to 1048576 (got 15)'],
    [{ processes: 0 }, 'limits.processes: must be an integer from 1 to 1000000 (got 0)'],
    [{ processes: 1_000_001 }, 'limits.processes: must be an integer from 1 to 1000000 (got 1000001)'],
    [{ openFiles: null }, 'limits.openFiles: must be an integer from 16 to 1048576 (got null)'],
    [
      { memory: 1 },
      'limits.memory: unknown field (allowed: cpuSeconds, memoryBytes, fileSizeBytes, openFiles, processes)',
    ],
    [null, 'limits: must be an object (got null)'],
    [[1], 'limits: must be an object (got [1])'],
    [60, 'limits: must be an object (got 60)'],
  ])('%j is refused', (limits, message) => {
    expect(() => checkLimits('limits', limits)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_INPUT', message }),
    )
  })
})

const gib = 1024 ** 3
const [rlimitCpu, rlimitFsize, rlimitData, rlimitCore, rlimitNproc, rlimitNofile] = [0, 1, 2, 4, 6, 7]

describe('encodeLimits', () => {
  test('no limits are no numbers', () => {
    expect(encodeLimits({})).toEqual([])
  })

  test('each limit is its resource, soft and hard limit; CPU time has five seconds more for who ignores SIGXCPU', () => {
    const limits = {
      ...{ cpuSeconds: 60, memoryBytes: 1_048_576, fileSizeBytes: 0 },
      ...{ openFiles: 64, processes: 500 },
    }

    expect(encodeLimits(limits)).toEqual([
      ...[rlimitCpu, 60, 65],
      ...[rlimitData, 1_048_576, 1_048_576],
      ...[rlimitFsize, 0, 0],
      ...[rlimitNofile, 64, 64],
      ...[rlimitNproc, 500, 500],
    ])
  })

  test('Restricted mode has all of them and no core files; the limit of descriptors can be raised', () => {
    expect(encodeLimits({}, 'restricted')).toEqual([
      ...[rlimitCpu, 3600, 3605],
      ...[rlimitData, 4 * gib, 4 * gib],
      ...[rlimitFsize, gib, gib],
      ...[rlimitNofile, 1024, Number.MAX_SAFE_INTEGER],
      ...[rlimitNproc, 4096, 4096],
      ...[rlimitCore, 1, 1],
    ])
  })

  test('in Restricted mode too a limit of descriptors that is set cannot be raised', () => {
    const encoded = encodeLimits({ openFiles: 1024 }, 'restricted')
    const at = encoded.findIndex((value, index) => index % 3 === 0 && value === rlimitNofile)

    expect(encoded.slice(at, at + 3)).toEqual([rlimitNofile, 1024, 1024])
  })
})

describe('restrictedLimits', () => {
  const defaults = {
    cpuSeconds: 3600,
    memoryBytes: 4 * gib,
    fileSizeBytes: gib,
    openFiles: 1024,
    processes: 4096,
  }

  test('are the defaults', () => {
    expect(restrictedLimits({})).toEqual(defaults)
  })

  test('field by field give way to what is set', () => {
    expect(restrictedLimits({ cpuSeconds: 5, processes: 100_000 })).toEqual({
      ...defaults,
      cpuSeconds: 5,
      processes: 100_000,
    })
    expect(restrictedLimits({ cpuSeconds: undefined } as object)).toEqual(defaults)
  })
})

describe('firedLimit', () => {
  const cpu = { limit: 'cpu', limitValue: 60 }
  const fileSize = { limit: 'fileSize', limitValue: 1024 }

  test.each([
    ['bash is ended by SIGXCPU', 'SIGXCPU', null, 60_000, cpu],
    ['the clock ticks lack a little of the last second', 'SIGXCPU', null, 59_950, cpu],
    ['a child of bash is ended by SIGXCPU', null, 152, 60_004, cpu],
    ['bash ignores SIGXCPU, and is ended by SIGKILL', 'SIGKILL', null, 65_000, cpu],
    ['a child of bash ignores SIGXCPU, and is ended by SIGKILL', null, 137, 65_000, cpu],
    ['bash is ended by SIGXFSZ', 'SIGXFSZ', null, 3, fileSize],
    ['a child of bash is ended by SIGXFSZ', null, 153, 3, fileSize],
    ['another signal', 'SIGSEGV', null, 60_000, {}],
    ['a failure', null, 1, 60_000, {}],
    ['success', null, 0, 60_000, {}],
  ])('%s', (_, signal, exitCode, cpuMs, expected) => {
    expect(firedLimit({ cpuSeconds: 60, fileSizeBytes: 1024 }, signal, exitCode, cpuMs, '')).toEqual(expected)
  })

  test.each([
    ['`exit 152`', null, 152],
    ['`exit 137`', null, 137],
    ['a SIGXCPU that somebody sent', 'SIGXCPU', null],
    ['a SIGKILL that somebody sent', 'SIGKILL', null],
  ])('%s long before the limit of CPU time is not that limit', (_, signal, exitCode) => {
    expect(firedLimit({ cpuSeconds: 60 }, signal, exitCode, 12, '')).toEqual({})
  })

  test('a limit that was not set has not fired', () => {
    expect(firedLimit({}, 'SIGXCPU', null, 60_000, '')).toEqual({})
    expect(firedLimit({ cpuSeconds: 60 }, 'SIGXFSZ', null, 3, '')).toEqual({})
  })

  test.each(['memory exhausted', "RuntimeError: can't start new thread"])(
    'a failure that says "%s" is that of the limit',
    (words) => {
      const limits = { memoryBytes: 1_048_576, processes: 4096 }
      const expected = words.startsWith('memory')
        ? { limit: 'memory', limitValue: 1_048_576 }
        : { limit: 'processes', limitValue: 4096 }

      expect(firedLimit(limits, null, 1, 12, `${words}\n`)).toEqual(expected)
      expect(firedLimit(limits, 'SIGABRT', null, 12, `${words}\n`)).toEqual(expected)
      expect(firedLimit(limits, null, 0, 12, `${words}\n`)).toEqual({})
      expect(firedLimit({ cpuSeconds: 60 }, null, 1, 12, `${words}\n`)).toEqual({})
    },
  )

  test('no thread for want of memory is that of the one limit that is set', () => {
    const words = 'java.lang.OutOfMemoryError: unable to create native thread'

    expect(firedLimit({ processes: 4096 }, null, 1, 12, words)).toMatchObject({ limit: 'processes' })
    expect(firedLimit({ memoryBytes: 1_048_576 }, null, 1, 12, words)).toEqual({})
  })
})
