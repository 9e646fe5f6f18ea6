// bashward run --profile suite: its Bash, for one call.
import { bashward } from './in-process.js'
import { killPrograms } from './program.js'

afterEach(killPrograms)

const suite = (...words: string[]) => bashward(['run', '--profile', 'suite', ...words])

describe('bashward run --profile suite', () => {
  test('renders output as a terminal would', async () => {
    const command =
      'printf "\\x1b[31mred\\x1b[0m\\n"; for i in 1 2 3; do printf "\\r$i%%"; done; echo; echo err >&2'
    expect(await suite(command)).toEqual({ code: 0, signal: null, stdout: 'red\n3%\nerr\n', stderr: '' })
  })

  test('gives the first and the last half of 30000 characters in whole lines, always the same', async () => {
    const { stdout, stderr } = await suite('seq 100000')

    expect(stdout).toMatch(/^1\n2\n3\n/)
    expect(stdout).toMatch(/\n\[output truncated: first 15000 and last 15000 of \d+ characters\]\n/)
    expect(stdout).toMatch(/\n99999\n100000\n$/)
    expect(stderr).toBe('')
    expect(await suite('seq 50000; sleep 0.2; seq 50001 100000')).toMatchObject({ stdout })
  })

  test('--timeout is its timeout', async () => {
    expect(await suite('--timeout', '0.5', 'echo before; sleep 30')).toEqual({
      code: 124,
      signal: null,
      stdout: 'before\n',
      stderr: '[command timed out after 0.5s]\n',
    })
  })

  test('says on stderr how a command failed', async () => {
    expect(await suite('echo before; exit 3')).toMatchObject({
      code: 3,
      stdout: 'before\n',
      stderr: '[command failed: exit code 3]\n',
    })
  })

  test('--json prints its result', async () => {
    const { stdout } = await suite('--json', 'printf "1%%\\r2%%\\n"')
    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', output: '2%\n', exitCode: 0 })
  })
})
