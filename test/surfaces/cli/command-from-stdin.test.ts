// `bashward run -`: the command comes from stdin.
import { spawnSync } from 'node:child_process'
import { bashward } from './in-process.js'
import { binPath, killPrograms } from './program.js'

afterEach(killPrograms)

const run = (args: string[], input: string | Buffer) => bashward(['run', ...args], { input })

test.each([[['-']], [['--', '-']], [['--profile', 'exec', '-']], [['--profile', 'suite', '-']]])(
  '%j runs it, quotes, newlines and all',
  async (args) => {
    const command = `name="it's"\nprintf '%s\\n' "$name" 'a "b"' $'c\\td'\nexit 3\n`

    expect(await run(args, command)).toMatchObject({ code: 3, stdout: 'it\'s\na "b"\nc\td\n' })
  },
)

test('the command itself gets no input', async () => {
  expect(await run(['-'], 'cat; read line; echo "[$line] $?"')).toMatchObject({ stdout: '[] 1\n' })
})

test('a command of 1 MB runs', async () => {
  expect(await run(['-'], `: ${'x'.repeat(1e6)}; echo done`)).toMatchObject({ code: 0, stdout: 'done\n' })
})

test('safety rules and --json go with it', async () => {
  const { code, stdout } = await run(['--json', '-'], 'git add -A')

  expect(code).toBe(126)
  expect(JSON.parse(stdout)).toMatchObject({ status: 'rejected', command: 'git add -A' })
})

test.each<[string, string | Buffer, RegExp]>([
  ['nothing', '', /no command on stdin/],
  ['blanks', ' \n\n', /no command on stdin/],
  ['more than 4 MiB', 'x'.repeat(4 * 1024 * 1024 + 1), /must be at most 4194304 bytes/],
  ['no UTF-8', Buffer.from([0x65, 0xff]), /must be UTF-8/],
])('%s is refused', async (_, input, message) => {
  expect(await run(['-'], input)).toMatchObject({
    code: 125,
    stdout: '',
    stderr: expect.stringMatching(message),
  })
  expect(JSON.parse((await run(['--json', '-'], input)).stdout)).toMatchObject({ status: 'invalid' })
})

test('a dash among other words is one of them', async () => {
  expect(await run(['echo', '-'], 'echo no')).toMatchObject({ code: 0, stdout: '-\n' })
})

test.each([[['-', 'extra']], [['--', '-', 'echo']]])('%j is a usage error', async (args) => {
  expect(await run(args, 'echo no')).toMatchObject({
    code: 125,
    stdout: '',
    stderr: expect.stringMatching(/- reads the command from stdin, and takes no other words/),
  })
})

test.each([
  ['< /', /stdin cannot be read: EISDIR: it is a directory/],
  ['<&-', /no command on stdin: it is closed, or \/dev\/null/],
  ['< /dev/null', /no command on stdin: it is closed, or \/dev\/null/],
])('%s is refused with its cause', (redirection, message) => {
  const script = `exec "$0" "$1" run - ${redirection}`
  const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, binPath], { encoding: 'utf8' })

  expect(status).toBe(125)
  expect(stderr).toMatch(message)
})
