// Which options are accepted, and what is said about those that are not.
import { tmpdir } from 'node:os'
import { type RunOptions, resolveOptions } from '../../../lib/commands/run/options.js'
import { restricted } from '../../../lib/guard/sandbox/policy.js'
import { protections } from '../../../lib/guard/sandbox/protections.js'
import {
  bashProfile,
  normalizedBashProfile,
  savedNormalizedBashProfile,
} from '../../../lib/processes/output/profile.js'

const resolveUntyped = (options: unknown) => resolveOptions(options as RunOptions)
const refusal = (message: string) =>
  expect.objectContaining({ name: 'BashError', code: 'ERR_INVALID_INPUT', message })

const integer = (from: number, to: number, unit: string) => `must be an integer from ${from} to ${to} ${unit}`
const timeout = integer(1, 86_400_000, 'milliseconds')
const grace = integer(0, 10_000, 'milliseconds')

describe('resolveOptions', () => {
  test('fills in the defaults', () => {
    expect(resolveOptions({ cwd: '/' })).toEqual({
      cwd: '/',
      timeoutMs: 0,
      cancelSignal: undefined,
      sandbox: 'unrestricted',
      policy: undefined,
      policyBase: '/',
      scratch: undefined,
      required: [],
      environment: expect.anything(),
      killSurvivors: false,
      separateStreams: false,
      onOutput: undefined,
      output: bashProfile,
      saveOutput: undefined,
      termGraceMs: 2000,
      limits: {},
      shellPath: undefined,
      adoption: undefined,
      session: undefined,
      redact: { values: true, tokens: false },
      explain: true,
    })
  })

  test('takes every option', () => {
    const options = {
      cwd: '/tmp',
      timeout: 1000,
      cancelSignal: new AbortController().signal,
      sandbox: 'restricted',
      scratch: { directory: '/var/tmp', maxBytes: 2 * 1024 ** 2 },
      required: ['network'],
      env: { inherit: 'none' },
      survivors: 'kill',
      streams: 'merged',
      onOutput: () => {},
      normalizeOutput: true,
      saveOutput: { directory: '/var/tmp', maxBytes: 200_000 },
      termGraceMs: 50,
      limits: { cpuSeconds: 5 },
      shellPath: '/bin/bash',
    } as const

    expect(resolveOptions(options)).toEqual({
      cwd: '/tmp',
      timeoutMs: 1000,
      cancelSignal: options.cancelSignal,
      sandbox: 'restricted',
      policy: restricted.policy,
      policyBase: '/tmp',
      scratch: { directory: '/var/tmp', maxBytes: 2 * 1024 ** 2 },
      required: ['network'],
      environment: expect.anything(),
      killSurvivors: true,
      separateStreams: false,
      onOutput: options.onOutput,
      output: savedNormalizedBashProfile,
      saveOutput: { directory: '/var/tmp', maxBytes: 200_000 },
      termGraceMs: 50,
      limits: { cpuSeconds: 5, fileSizeBytes: 2 * 1024 ** 2 },
      shellPath: '/bin/bash',
      adoption: undefined,
      session: undefined,
      redact: { values: true, tokens: false },
      explain: true,
    })
  })

  test('normalizeOutput alone keeps more of the start, which rendering makes shorter', () => {
    expect(resolveOptions({ cwd: '/', normalizeOutput: true }).output).toBe(normalizedBashProfile)
  })

  test('an option given as undefined is absent', () => {
    const names = ['timeout', 'cancelSignal', 'sandbox', 'scratch', 'required', 'env', 'survivors'] as const
    const others = [
      'streams',
      'onOutput',
      'normalizeOutput',
      'saveOutput',
      'termGraceMs',
      'limits',
      'shellPath',
      'redact',
      'backgroundAfter',
    ] as const
    const absent = Object.fromEntries([...names, ...others].map((name) => [name, undefined]))

    expect(resolveOptions({ cwd: '/', ...absent })).toEqual(resolveOptions({ cwd: '/' }))
  })

  test.each([
    { timeout: 1 },
    { timeout: 86_400_000 },
    { termGraceMs: 0 },
    { termGraceMs: 10_000 },
    { backgroundAfter: 1 },
    { backgroundAfter: 86_400_000 },
  ])('the ends of the ranges are allowed: %j', (option) => {
    expect(() => resolveOptions({ cwd: '/', ...option })).not.toThrow()
  })

  const refused: [Record<string, unknown>, string][] = [
    [{ timeout: 0 }, `timeout: ${timeout} (got 0)`],
    [{ timeout: 86_400_001 }, `timeout: ${timeout} (got 86400001)`],
    [{ timeout: 1.5 }, `timeout: ${timeout} (got 1.5)`],
    [{ timeout: '30' }, `timeout: ${timeout} (got "30")`],
    [{ timeout: null }, `timeout: ${timeout} (got null)`],
    [{ timeout: 30n }, `timeout: ${timeout} (got 30n)`],
    [{ termGraceMs: -1 }, `termGraceMs: ${grace} (got -1)`],
    [{ termGraceMs: 10_001 }, `termGraceMs: ${grace} (got 10001)`],
    [{ termGraceMs: Number.NaN }, `termGraceMs: ${grace} (got NaN)`],
    [{ cancelSignal: {} }, 'cancelSignal: must be an AbortSignal (got {})'],
    [{ cancelSignal: null }, 'cancelSignal: must be an AbortSignal (got null)'],
    [{ cancelSignal: new AbortController() }, 'cancelSignal: must be an AbortSignal (got {})'],
    [{ sandbox: 'strict' }, 'sandbox: must be one of unrestricted, restricted, workspace (got "strict")'],
    [{ sandbox: true }, 'sandbox: must be one of unrestricted, restricted, workspace (got true)'],
    [{ env: null }, 'env: must be an object (got null)'],
    [{ env: { inherit: 'some' } }, 'env.inherit: must be one of filtered, all, none (got "some")'],
    [{ env: { PATH: '/bin' } }, 'env.PATH: unknown field (allowed: inherit, allow, deny, set, login)'],
    [{ survivors: 'keep' }, 'survivors: must be one of adopt, kill (got "keep")'],
    [{ survivors: null }, 'survivors: must be one of adopt, kill (got null)'],
    [{ streams: 'both' }, 'streams: must be one of merged, separate (got "both")'],
    [{ onOutput: 'log' }, 'onOutput: must be a function (got "log")'],
    [{ normalizeOutput: 1 }, 'normalizeOutput: must be a boolean (got 1)'],
    [{ normalizeOutput: 'false' }, 'normalizeOutput: must be a boolean (got "false")'],
    [{ shellPath: 'bash' }, 'shellPath: must be an absolute path (got "bash")'],
    [{ shellPath: '/bin/ba\0sh' }, String.raw`shellPath: must be an absolute path (got "/bin/ba\u0000sh")`],
    [{ shellPath: ['/bin/bash'] }, 'shellPath: must be an absolute path (got ["/bin/bash"])'],
    [{ cwd: undefined }, 'cwd: must be the path of a directory (got undefined)'],
    [{ cwd: '' }, 'cwd: must be the path of a directory (got "")'],
    [{ cwd: '/a\0b' }, String.raw`cwd: must be the path of a directory (got "/a\u0000b")`],
    [{ cwd: new URL('file:///tmp') }, 'cwd: must be the path of a directory (got {})'],
  ]
  test.each(refused.map(([option, message]) => [message, option] as const))(
    'refuses %s',
    (message, option) => {
      expect(() => resolveUntyped({ cwd: '/', ...option })).toThrow(refusal(message))
    },
  )

  test.each([
    [undefined, 'options: must be an object (got undefined)'],
    [null, 'options: must be an object (got null)'],
    ['/tmp', 'options: must be an object (got "/tmp")'],
    [['/tmp'], 'options: must be an object (got ["/tmp"])'],
  ])('%j instead of options is refused', (options, message) => {
    expect(() => resolveUntyped(options)).toThrow(refusal(message))
  })

  test.each([
    ['workingDir', '; did you mean cwd?'],
    ['timeoutMs', '; did you mean timeout?'],
    ['signal', '; did you mean cancelSignal?'],
    ['sandBox', '; did you mean sandbox?'],
    ['shell', '; did you mean shellPath?'],
    ['maxBuffer', ''],
  ])('an unknown option %s is refused%s', (name, suggestion) => {
    const allowed = [
      ...[
        'cwd',
        'timeout',
        'cancelSignal',
        'sandbox',
        'workspace',
        'scratch',
        'required',
        'env',
        'survivors',
        'streams',
        'onOutput',
      ],
      ...[
        'normalizeOutput',
        'saveOutput',
        'termGraceMs',
        'limits',
        'shellPath',
        'redact',
        'maxOutputChars',
        'errorLines',
        'explain',
        'backgroundAfter',
        'input',
        'tty',
      ],
    ].join(', ')

    expect(() => resolveUntyped({ cwd: '/', [name]: 1 })).toThrow(
      refusal(`options.${name}: unknown field${suggestion} (allowed: ${allowed})`),
    )
  })

  test('a signal that cannot be let go of is no AbortSignal', () => {
    const cancelSignal = { aborted: false, addEventListener: () => {} }

    expect(() => resolveUntyped({ cwd: '/', cancelSignal })).toThrow(
      expect.objectContaining({
        code: 'ERR_INVALID_INPUT',
        message: expect.stringMatching(/^cancelSignal: must be an AbortSignal /),
      }),
    )
  })

  test.each<[object, string]>([
    [{ scratch: true }, "scratch: must be left out without sandbox: 'restricted' or 'workspace' (got true)"],
    [
      { required: ['network'] },
      "required: must be left out without sandbox: 'restricted' or 'workspace' (got [\"network\"])",
    ],
    [{ sandbox: 'restricted', scratch: 1 }, 'scratch: must be an object (got 1)'],
    [
      { sandbox: 'restricted', scratch: { directory: 'tmp' } },
      'scratch.directory: must be an absolute path (got "tmp")',
    ],
    [
      { sandbox: 'restricted', scratch: { maxBytes: 1000 } },
      `scratch.maxBytes: ${integer(1_048_576, 1_099_511_627_776, 'bytes')} (got 1000)`,
    ],
    [
      { sandbox: 'restricted', scratch: { size: 1 } },
      'scratch.size: unknown field (allowed: directory, maxBytes)',
    ],
    [
      { sandbox: 'restricted', required: 'network' },
      'required: must be an array of protections (got "network")',
    ],
    [
      { sandbox: 'restricted', required: ['network', 'sound'] },
      `required[1]: must be one of ${protections.join(', ')} (got "sound")`,
    ],
    [
      { sandbox: 'restricted', required: [undefined] },
      `required[0]: must be one of ${protections.join(', ')} (got null)`,
    ],
  ])('of Restricted mode: refuses %j', (options, message) => {
    expect(() => resolveUntyped({ cwd: '/', ...options })).toThrow(refusal(message))
  })

  describe('in Restricted mode', () => {
    const resolveRestricted = (options: Partial<RunOptions> = {}) =>
      resolveOptions({ cwd: '/', sandbox: 'restricted', ...options })

    test('survivors are killed unless they are to be adopted', () => {
      expect(resolveRestricted().killSurvivors).toBe(true)
      expect(resolveRestricted({ survivors: undefined }).killSurvivors).toBe(true)
      expect(resolveRestricted({ survivors: 'adopt' }).killSurvivors).toBe(false)
    })

    test('scratch: true is 256 MiB in the directory for temporary files', () => {
      expect(resolveRestricted({ scratch: true }).scratch).toEqual({
        directory: tmpdir(),
        maxBytes: 256 * 1024 ** 2,
      })
      expect(resolveRestricted({ scratch: false }).scratch).toBeUndefined()
    })

    test('no file may be larger than the scratch directory', () => {
      const scratch = { maxBytes: 1024 ** 2 }

      expect(resolveRestricted({ scratch }).limits).toEqual({ fileSizeBytes: 1024 ** 2 })
      expect(resolveRestricted({ scratch, limits: { fileSizeBytes: 4096, openFiles: 20 } }).limits).toEqual({
        fileSizeBytes: 4096,
        openFiles: 20,
      })
    })

    test('the protections that are required are those that the caller names', () => {
      const required = ['signals', 'network'] as const

      expect(resolveRestricted({ required }).required).toEqual(required)
      expect(resolveRestricted().required).toEqual([])
    })
  })
})
