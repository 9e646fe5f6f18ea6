// Limits as they are checked, and handed to the engine.
import { checkLimits, encodeLimits, restrictedLimits } from '../../../lib/guard/sandbox/resource-limits.js'

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
