import { UsageError } from '../../lib/cli/command-line.js'
import { parseRunCall } from '../../lib/cli/run-options.js'

describe('parseRunCall', () => {
  test('without options', () => {
    expect(parseRunCall(['true'])).toEqual({
      command: 'true',
      mode: 'default',
      timeoutMs: undefined,
      cwd: '.',
      json: false,
    })
  })

  test('with every option', () => {
    const options = ['--mode', 'slow', '--timeout', '2', '--cwd', '/tmp', '--json']
    expect(parseRunCall([...options, '--', 'true'])).toEqual({
      command: 'true',
      mode: 'slow',
      timeoutMs: 2000,
      cwd: '/tmp',
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

  test('an unknown mode is refused with those that there are', () => {
    expect(() => parseRunCall(['--mode', 'fast', 'true'])).toThrow(
      '--mode must be one of default, slow, background (got "fast")',
    )
  })

  test('an empty --cwd is refused', () => {
    expect(() => parseRunCall(['--cwd', '', 'true'])).toThrow(
      '--cwd must be the path of a directory (got "")',
    )
  })
})
