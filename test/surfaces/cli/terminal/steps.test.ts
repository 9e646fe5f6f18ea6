// The terminal of a job in steps, for scripts: started, waited for, typed into, looked at.
import { bashward, killPrograms, runJob, startJob } from '../program.js'

afterEach(killPrograms)

const jobs = (...words: string[]) => bashward(['jobs', ...words])
const done = { code: 0, stdout: '', stderr: '' }

const startTty = async (command: string, ...options: string[]): Promise<string> => {
  const { stdout } = await bashward(['run', '--tty', '--mode', 'background', ...options, command])
  return /bash_[a-z0-9]{6,8}/.exec(stdout)?.[0] ?? stdout
}

test('a job is waited for, answered, and looked at', async () => {
  const id = await startTty('read -p "Name: " name; echo "Hello $name"; read x; exit 3', '--cols', '40')
  expect(await jobs('wait', id)).toMatchObject({ code: 122, stdout: `${id} "bash" waits for a line\n` })
  expect(await jobs('input', id, 'Ada', 'L.')).toMatchObject(done)
  expect(await jobs('wait', id)).toMatchObject({ code: 122 })
  expect(await jobs('screen', id)).toMatchObject({
    code: 0,
    stdout: 'Name: Ada L.\nHello Ada L.\n',
    stderr: '[running; screen 24x40, cursor 3,1; "bash" waits for a line]\n',
  })
  expect(await jobs('input', id, '--keys', 'Enter')).toMatchObject(done)
  expect(await jobs('wait', id)).toMatchObject({ code: 3, stdout: `${id} failed: exit code 3\n` })
  expect(await jobs('screen', id)).toMatchObject({
    stdout: 'Name: Ada L.\nHello Ada L.\n',
    stderr: '[failed: exit code 3; screen 24x40, cursor 4,1]\n',
  })
})

test('Enter is left out on request', async () => {
  const id = await startTty('read x; echo "<$x>"; read y')
  await jobs('input', id, '--no-submit', 'one ')
  await jobs('input', id, '--', '--two')
  await jobs('wait', id)

  expect((await jobs('screen', id)).stdout).toBe('one --two\n<one --two>\n')
})

test('the wait ends at --timeout', async () => {
  const id = await startTty('sleep 1000')
  expect(await jobs('wait', id, '--timeout', '.2')).toMatchObject({ code: 123, stdout: `${id} running\n` })
  const plain = await startJob('sleep 1000')
  expect(await jobs('wait', plain, '--timeout', '.2')).toMatchObject({
    code: 123,
    stdout: `${plain} running\n`,
  })
})

test('--json prints one document', async () => {
  const id = await startTty('read x')
  const waited = await jobs('wait', id, '--json')
  expect(waited.code).toBe(122)
  expect(JSON.parse(waited.stdout)).toMatchObject({ id, status: 'running', state: { verdict: 'line' } })
  const typed = await jobs('input', id, '--json', '--no-submit', 'hi')
  expect(JSON.parse(typed.stdout)).toEqual({ unreadBytes: 0, queuedBytes: 0, droppedBytes: 0 })
  const shown = await jobs('screen', id, '--json')
  expect(JSON.parse(shown.stdout)).toMatchObject({
    id,
    status: 'running',
    screen: { rows: 24, columns: 100, lines: ['hi'], cursor: { row: 1, column: 3 } },
    state: { program: 'bash' },
  })
  const missing = await jobs('screen', 'bash_zzzzzz', '--json')
  expect(JSON.parse(missing.stdout)).toMatchObject({ status: 'error', error: { code: 'ERR_JOB_NOT_FOUND' } })
})

test('`output` of it is text without escape sequences, also when it is followed', async () => {
  const id = await startTty(
    'printf "\\e]0;title\\a\\e[31mred\\e[0m\\n\\e]52;c;aGk=\\a50%%\\r100%%\\n"; exit 2',
  )
  for (const words of [[], ['--follow']]) {
    expect(await jobs('output', id, ...words)).toMatchObject({ code: 0, stdout: 'red\n100%\n' })
  }
  expect(JSON.parse((await jobs('output', id, '--json', '--follow')).stdout)).toMatchObject({
    output: 'red\n100%\n',
  })
})

test('what is no text is refused, and keys that are none, with the nearest one', async () => {
  const id = await startTty('read x')
  expect(await jobs('input', id, 'a\x1b[201~')).toMatchObject({
    code: 125,
    stderr: expect.stringMatching(
      /^bashward: text: must be without control characters .*; keys have names, see --keys/,
    ),
  })
  expect(await jobs('input', id, '--keys', 'Escpe')).toMatchObject({
    code: 125,
    stderr: expect.stringMatching(/^bashward: --keys must be .*did you mean Escape\?/),
  })
})

test.each([
  [
    'without a terminal',
    startJob,
    'sleep 1000',
    /^bashward jobs: bash_\w+ has no terminal: it was started without tty\n$/,
  ],
  ['that has ended', runJob, 'true', /^bashward jobs: bash_\w+ has no terminal/],
])('a job %s cannot be typed into, nor is there a screen', async (_, start, command, stderr) => {
  const id = await start(command)
  for (const words of [
    ['input', id, 'x'],
    ['screen', id],
  ]) {
    expect(await jobs(...words)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(stderr) })
  }
})

test('what has ended cannot be typed into', async () => {
  const id = await startTty('true')
  await jobs('wait', id)

  expect(await jobs('input', id, 'x')).toMatchObject({
    code: 1,
    stderr: `bashward jobs: ${id} does not run: it is completed\n`,
  })
})

test('on the portable engine there is no terminal', async () => {
  const exit = await bashward(['run', '--tty', '--mode', 'background', 'true'], {
    env: { BASHWARD_ENGINE: 'portable' },
  })
  expect(exit).toMatchObject({ code: 125, stderr: 'bashward: tty: the portable engine has no terminals\n' })
})
