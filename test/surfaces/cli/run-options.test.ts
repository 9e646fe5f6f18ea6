import { join } from 'node:path'
import { UsageError } from '../../../lib/surfaces/cli/command-line.js'
import { invalidRunResult, parseRunCall } from '../../../lib/surfaces/cli/run-options.js'

describe('parseRunCall', () => {
  test('without options', () => {
    expect(parseRunCall(['true'])).toEqual({
      profile: 'bash',
      command: 'true',
      mode: 'default',
      timeoutMs: undefined,
      cwd: '.',
      sandbox: 'unrestricted',
      scratch: false,
      safety: true,
      strict: false,
      json: false,
    })
  })

  test('with every option', () => {
    const options = ['--profile', 'bash', '--mode', 'slow', '--timeout', '2', '--cwd', '/tmp', '--json']
    const sandbox = ['--restricted', '--scratch', '--no-safety', '--strict']
    expect(parseRunCall([...options, ...sandbox, '--', 'true'])).toEqual({
      profile: 'bash',
      command: 'true',
      mode: 'slow',
      timeoutMs: 2000,
      cwd: '/tmp',
      sandbox: 'restricted',
      scratch: true,
      safety: false,
      strict: true,
      json: true,
    })
  })

  test('joins words with spaces, as ssh does', () => {
    expect(parseRunCall(['echo', 'a  b', '', '*.c'])).toMatchObject({ command: 'echo a  b  *.c' })
  })

  test('options after the first word belong to the command', () => {
    expect(parseRunCall(['ls', '--json', '--mode'])).toMatchObject({
      command: 'ls --json --mode',
      json: false,
    })
  })

  test('with a terminal, of a size or of that of the caller', () => {
    expect(parseRunCall(['--tty', 'vim'])).toMatchObject({ tty: {}, mode: 'default' })
    expect(parseRunCall(['--tty', '--rows', '40', '--cols=500', 'vim'])).toMatchObject({
      tty: { rows: 40, cols: 500 },
    })
    expect(parseRunCall(['--tty', '--mode', 'background', '-'])).toMatchObject({
      tty: {},
      mode: 'background',
    })
  })

  test.each([
    [['--rows', '4', 'x'], '--rows goes with --tty'],
    [['--cols', '4', 'x'], '--cols goes with --tty'],
    [['--tty', '--rows', '0', 'x'], '--rows must be an integer from 1 to 200 (got "0")'],
    [['--tty', '--cols', '501', 'x'], '--cols must be an integer from 1 to 500 (got "501")'],
    [['--tty', '--cols', '1e2', 'x'], '--cols must be an integer from 1 to 500 (got "1e2")'],
    [['--tty', '--json', 'x'], '--json cannot be used with --tty'],
    [['--tty', '--profile', 'exec', 'x'], '--profile exec cannot be used with --tty'],
    [['--tty', '--mode', 'slow', 'x'], '--mode slow cannot be used with --tty'],
    [['--tty', '-'], '- (the command on stdin) cannot be used with --tty'],
    [['--ttty', 'x'], "unknown option '--ttty': did you mean '--tty'?"],
  ])('%j is refused: %s', (args, message) => {
    expect(() => parseRunCall(args)).toThrow(new UsageError('bashward run', message))
  })

  test('an empty command is one', () => {
    expect(parseRunCall([''])).toMatchObject({ command: '' })
  })

  test('no command is refused', () => {
    for (const args of [[], ['--json'], ['--']]) {
      expect(() => parseRunCall(args)).toThrow(new UsageError('bashward run', 'no command given'))
    }
  })

  test.each([
    ['0.001', 1],
    ['.5', 500],
    ['5.', 5000],
    ['1.0004', 1000],
    ['30', 30_000],
    ['86400', 86_400_000],
  ])('--timeout %s is %d ms', (seconds, timeoutMs) => {
    expect(parseRunCall(['--timeout', seconds, 'true'])).toMatchObject({ timeoutMs })
  })

  test.each(['180000', '86400.1', '0', '0.0004', '-1', '', ' ', '1e3', '0x10', '5s', 'Infinity', 'NaN'])(
    '--timeout=%s is refused with the range that is allowed',
    (seconds) => {
      const message = `--timeout must be a number of seconds from 0.001 to 86400 (got "${seconds}")`
      expect(() => parseRunCall([`--timeout=${seconds}`, 'true'])).toThrow(
        new UsageError('bashward run', message),
      )
    },
  )

  test('--timeout may have a negative number as a word of its own', () => {
    expect(() => parseRunCall(['--timeout', '-5', 'true'])).toThrow(
      '--timeout must be a number of seconds from 0.001 to 86400 (got "-5")',
    )
  })

  test.each([
    ['600', 600_000],
    ['0.001', 1],
  ])('of the suite --timeout %s is %d ms', (seconds, timeoutMs) => {
    expect(parseRunCall(['--profile', 'suite', '--timeout', seconds, 'true'])).toMatchObject({ timeoutMs })
  })

  test('of the suite --timeout is that of a background command, too', () => {
    const options = ['--profile', 'suite', '--mode', 'background', '--timeout', '5', 'true']
    expect(parseRunCall(options)).toMatchObject({ mode: 'background', timeoutMs: 5000 })
  })

  test('of the suite --timeout ends at 600', () => {
    expect(() => parseRunCall(['--profile', 'suite', '--timeout', '600.001', 'true'])).toThrow(
      '--timeout must be a number of seconds from 0.001 to 600 (got "600.001")',
    )
  })

  test.each(['bash', 'exec', 'suite'])('--profile %s is one', (profile) => {
    expect(parseRunCall(['--profile', profile, 'true'])).toMatchObject({ profile, mode: 'default' })
  })

  test.each([
    [['--profile', 'zsh'], '--profile must be one of bash, exec, suite (got "zsh")'],
    [
      ['--profile', 'suite', '--mode', 'slow'],
      '--mode slow cannot be used with --profile suite: its tool has no slow',
    ],
    [
      ['--profile', 'exec', '--mode', 'slow'],
      '--mode slow cannot be used with --profile exec: its tool has no modes',
    ],
    [['--profile', 'exec', '--mode', 'background'], '--mode background cannot be used with --profile exec'],
  ])('%p is refused: %s', (options, message) => {
    expect(() => parseRunCall([...options, 'true'])).toThrow(message)
  })

  test('an unknown mode is refused with those that there are', () => {
    expect(() => parseRunCall(['--mode', 'fast', 'true'])).toThrow(
      '--mode must be one of default, slow, background (got "fast")',
    )
  })

  test('--restricted is the sandbox, without a scratch directory', () => {
    expect(parseRunCall(['--restricted', 'true'])).toMatchObject({ sandbox: 'restricted', scratch: false })
  })

  test('--workspace names the directory, where the command runs', () => {
    expect(parseRunCall(['--workspace', '/srv/project', 'make'])).toMatchObject({
      sandbox: 'workspace',
      cwd: '/srv/project',
      workspace: {
        writable: ['/srv/project'],
        unreadable: ['default'],
        network: false,
        sharedMemory: false,
      },
      scratch: undefined,
    })
  })

  test('--workspace with --cwd: it runs there', () => {
    expect(parseRunCall(['--workspace', '/srv/project', '--cwd', '/srv/project/src', 'make'])).toMatchObject({
      cwd: '/srv/project/src',
      workspace: { writable: ['/srv/project'] },
    })
  })

  test('--writable, --unreadable and --shared-memory add to it', () => {
    const more = [
      '--writable',
      '/srv/a',
      '--writable',
      '/srv/b',
      '--unreadable',
      '/srv/keys',
      '--shared-memory',
    ]

    expect(parseRunCall(['--workspace', '/srv/project', ...more, 'make'])).toMatchObject({
      workspace: {
        writable: ['/srv/project', '/srv/a', '/srv/b'],
        unreadable: ['default', '/srv/keys'],
        sharedMemory: true,
      },
    })
  })

  test('--allow-domain lists what can be reached', () => {
    const more = ['--allow-domain', 'Registry.example', '--allow-domain=*.example.org']

    expect(parseRunCall(['--workspace', '/srv/project', ...more, 'make'])).toMatchObject({
      workspace: { network: { domains: ['registry.example', '*.example.org'] } },
    })
  })

  test('relative directories begin where the program runs, and ~ is left to the command', () => {
    expect(
      parseRunCall(['--workspace', 'a', '--writable', 'b', '--unreadable', '~/c', 'make']),
    ).toMatchObject({
      cwd: join(process.cwd(), 'a'),
      workspace: {
        writable: [join(process.cwd(), 'a'), join(process.cwd(), 'b')],
        unreadable: ['default', '~/c'],
      },
    })
  })

  test.each([
    [['--workspace', ''], '--workspace must be the path of a directory (got "")'],
    [['--workspace', '/srv', '--writable', ''], '--writable must be the path of a directory (got "")'],
    [['--writable', '/srv'], '--writable goes with --workspace'],
    [['--unreadable', '/srv', '--restricted'], '--unreadable goes with --workspace'],
    [['--shared-memory'], '--shared-memory goes with --workspace'],
    [['--allow-domain', 'a.example', '--restricted'], '--allow-domain goes with --workspace'],
    [
      ['--workspace', '/srv', '--allow-domain', 'a.example', '--allow-domain', 'https://b.example'],
      '--allow-domain must be a name or an address, with a port at most: no URL (got "https://b.example")',
    ],
    [
      ['--workspace', '/srv', ...Array.from({ length: 65 }, (_, index) => `--allow-domain=${index}.example`)],
      '--allow-domain must have at most 64 entries (got 65)',
    ],
    [['--workspace', '/srv', '--restricted'], '--restricted and --workspace are two modes: give one of them'],
  ])('%j is refused', (options, message) => {
    expect(() => parseRunCall([...options, 'true'])).toThrow(message)
  })

  test('--scratch without --restricted is refused', () => {
    expect(() => parseRunCall(['--scratch', 'true'])).toThrow(
      '--scratch goes with --restricted: without it commands can write anyway',
    )
  })

  test('an empty --cwd is refused', () => {
    expect(() => parseRunCall(['--cwd', '', 'true'])).toThrow(
      '--cwd must be the path of a directory (got "")',
    )
  })
})

describe('invalidRunResult', () => {
  const error = new UsageError('bashward run', 'no good')

  test('is a result of the tool', () => {
    expect(invalidRunResult(['--json', '--mode', 'fast', 'echo', 'hi'], error)).toMatchObject({
      status: 'invalid',
      command: 'echo hi',
      error: { code: 'ERR_INVALID_INPUT', message: 'no good' },
    })
  })

  test('has the shape of the profile', () => {
    expect(invalidRunResult(['--profile', 'exec', '--mode', 'fast', '--json', 'true'], error)).toEqual({
      stdout: '',
      stderr: '',
      exitCode: null,
      error: 'invalid input: no good',
    })
  })

  test('is there for --json only', () => {
    expect(invalidRunResult(['--mode', 'fast', 'echo', '--json'], error)).toBeUndefined()
  })
})
