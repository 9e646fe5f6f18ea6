import { bashward } from './in-process.js'
import { killPrograms } from './program.js'

afterEach(killPrograms)

/** Words, and what the message must name. */
const wrong: [string, string][] = [
  ['', 'bashward: no command given: must be one of run, check, jobs, doctor, mcp'],
  ['frobnicate', "bashward: unknown command 'frobnicate': must be one of run, check, jobs, doctor, mcp"],
  ['rnu true', "bashward: unknown command 'rnu': did you mean 'run'\\?"],
  ['docter', "bashward: unknown command 'docter': did you mean 'doctor'\\?"],
  ['--vresion', "bashward: unknown option '--vresion': did you mean '--version'\\?"],
  ['--json run true', 'bashward: .*--json'],
  ['run', 'bashward run: no command given'],
  ['run --scratch true', 'bashward run: --scratch goes with --restricted'],
  ['check', 'bashward check: no command given'],
  ['check --nope true', 'bashward check: .*--nope'],
  ['run --restriced true', "bashward run: unknown option '--restriced': did you mean '--restricted'\\?"],
  ['run -x true', "bashward run: unknown option '-x'\n"],
  ['mcp --cdw /', "bashward mcp: unknown option '--cdw': did you mean '--cwd'\\?"],
  ['run --profile zsh true', 'bashward run: --profile must be one of'],
  ['run --json=1 true', 'bashward run: --json takes no value \\(got "1"\\)'],
  ['run --mode', 'bashward run: --mode needs a value\n'],
  [
    'run --mode --json true',
    'bashward run: --mode needs a value \\(got --json; if that is it: --mode=--json\\)',
  ],
  ['run --mode fast true', 'bashward run: --mode must be one of'],
  ['run --timeout 180000 true', 'bashward run: --timeout must be .* from 0.001 to 86400'],
  ['run --timeout -5 true', 'bashward run: --timeout must be .* from 0.001 to 86400'],
  ['jobs frobnicate', "bashward jobs: unknown word 'frobnicate'"],
  ['jobs klil x', "bashward jobs: unknown word 'klil': did you mean 'kill'\\?"],
  ['jobs output', "bashward jobs: 'output' needs the id"],
  ['jobs --all', 'bashward jobs: .*--all'],
  ['doctor now', "bashward doctor: unexpected word 'now'"],
  ['doctor --all', 'bashward doctor: .*--all'],
]

describe('a wrong command line', () => {
  test.each(wrong)('`%s` is refused: %s', async (words, message) => {
    const { code, stdout, stderr } = await bashward(words.split(' ').filter((word) => word !== ''))

    expect({ code, stdout }).toEqual({ code: 125, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^${message}`))
    expect(stderr).toMatch(/\nTry 'bashward( run| check| jobs| doctor| mcp)? --help'\.\n$/)
  })
})

describe('a wrong command line with --json', () => {
  const documentOf = async (...words: string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await bashward(words)
    expect(code).toBe(125)
    expect(stderr).toMatch(/^bashward (run|jobs): .*\nTry 'bashward (run|jobs) --help'\.\n$/)
    return JSON.parse(stdout)
  }

  test.each([
    [
      'a wrong mode',
      ['--mode', 'fast', 'true'],
      '--mode must be one of default, slow, background (got "fast")',
    ],
    [
      'a wrong timeout',
      ['--timeout', '-5', 'true'],
      expect.stringMatching(/^--timeout must be .*\(got "-5"\)$/),
    ],
    ['no command', [], 'no command given'],
    ['an unknown option', ['--frobnicate', 'true'], expect.stringContaining("'--frobnicate'")],
  ])('is a result too: %s', async (_, words, message) => {
    expect(await documentOf('run', '--json', ...words)).toMatchObject({
      status: 'invalid',
      error: { code: 'ERR_INVALID_INPUT', message },
    })
  })

  test('so is one of jobs', async () => {
    expect(await documentOf('jobs', 'output', '--json')).toEqual({
      status: 'error',
      error: { code: 'ERR_INVALID_INPUT', message: "'output' needs the id of a job" },
    })
  })
})
