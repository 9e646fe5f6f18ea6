import { bashward, killPrograms } from './program.js'

afterEach(killPrograms)

/** Words, and what the message must name. */
const wrong: [string, string][] = [
  ['', 'bashward: no command given'],
  ['frobnicate', "bashward: unknown command 'frobnicate'"],
  ['jobs', "bashward: unknown command 'jobs'"],
  ['--json run true', 'bashward: .*--json'],
  ['run', 'bashward run: no command given'],
  ['run --restricted true', 'bashward run: .*--restricted'],
  ['run --no-safety true', 'bashward run: .*--no-safety'],
  ['run --profile exec true', 'bashward run: .*--profile'],
  ['run --json=1 true', 'bashward run: .*--json'],
  ['run --mode', 'bashward run: .*--mode'],
  ['run --mode fast true', 'bashward run: --mode must be one of'],
  ['run --timeout 180000 true', 'bashward run: --timeout must be .* from 0.001 to 86400'],
]

describe('a wrong command line', () => {
  test.each(wrong)('`%s` is refused: %s', async (words, message) => {
    const { code, stdout, stderr } = await bashward(words.split(' ').filter((word) => word !== ''))

    expect({ code, stdout }).toEqual({ code: 125, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^${message}`))
    expect(stderr).toMatch(/\nTry 'bashward( run)? --help'\.\n$/)
  })
})
