import { bashward, killPrograms } from './program.js'

afterEach(killPrograms)

/** Words, and what the message must name. */
const wrong: [string, string][] = [
  ['', 'bashward: no command given'],
  ['frobnicate', "bashward: unknown command 'frobnicate'"],
  ['--json run true', 'bashward: .*--json'],
  ['run', 'bashward run: no command given'],
  ['run --scratch true', 'bashward run: --scratch goes with --restricted'],
  ['check', 'bashward check: no command given'],
  ['check --nope true', 'bashward check: .*--nope'],
  ['run --profile zsh true', 'bashward run: --profile must be one of'],
  ['run --json=1 true', 'bashward run: .*--json'],
  ['run --mode', 'bashward run: .*--mode'],
  ['run --mode fast true', 'bashward run: --mode must be one of'],
  ['run --timeout 180000 true', 'bashward run: --timeout must be .* from 0.001 to 86400'],
  ['run --timeout -5 true', 'bashward run: --timeout must be .* from 0.001 to 86400'],
  ['jobs frobnicate', "bashward jobs: unknown word 'frobnicate'"],
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
    expect(stderr).toMatch(/\nTry 'bashward( run| check| jobs| doctor)? --help'\.\n$/)
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
