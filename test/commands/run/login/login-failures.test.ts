// Start-up files that keep the login shell from answering: the command runs with the host's environment, and is told so.
import { run } from '../../../../lib/index.js'
import { killLeftovers, sleepsWith, uniqueSleep } from '../../../support/processes.js'
import { counting, makeHome, restoreHome } from '../../../support/start-up-files.js'
import { removeTempDirs } from '../../../support/temp-dir.js'

afterEach(() => {
  killLeftovers()
  restoreHome()
  removeTempDirs()
})

const env = { login: true }
const show = 'echo "<$MARK>"'

test.each([
  ['end the shell', 'exit 3', /^start-up files ended the login shell \(exit code 3\)$/],
  ['fail under set -e', 'set -e; false', /^start-up files ended the login shell \(exit code 1\)$/],
  ['become another program', 'exec true', /^start-up files ended the login shell \(exit code 0\)$/],
  ['kill the shell', 'kill -9 $$', /^start-up files ended the login shell \(SIGKILL\)$/],
  [
    'set more than there is room for',
    'for i in {1..20}; do export "BIG$i=$(printf %70000s)"; done',
    /^the login shell's environment is larger than 1048576 bytes$/,
  ],
])('start-up files that %s', async (_, text, reason) => {
  const { project } = makeHome(`export MARK=set\n${text}`)
  const { status, output, loginError } = await run(show, { cwd: project, env })

  expect([status, output]).toEqual(['completed', '<>\n'])
  expect(loginError).toMatch(reason)
})

test.each([
  ['set -e', 'set -e'],
  ['set -u', 'set -u; unset PROMPT_COMMAND'],
  ['a hook that fails under set -e', "set -e; PROMPT_COMMAND='false; false'"],
  ['an empty PATH', 'PATH='],
  [
    'aliases and functions for what is needed',
    'alias printf=false exec=false; env() { :; }; printf() { :; }',
  ],
  ['a question on stdin', 'read -r answer; [ -z "$answer" ]'],
  ['a question on the terminal', 'read -r answer < /dev/tty'],
])('%s does no harm', async (_, text) => {
  const { project } = makeHome(`export MARK=set\n${text}`)
  const { output, loginError } = await run(show, { cwd: project, env })

  expect([output, loginError]).toEqual(['<set>\n', undefined])
})

test('a loop is ended after five seconds, with everything that was started', async () => {
  const sleep = uniqueSleep()
  const { project } = makeHome(`setsid sleep ${sleep} & trap '' TERM; while :; do sleep 0.05; done`)
  const { output, loginError } = await run(show, { cwd: project, env })

  expect([output, loginError]).toEqual(['<>\n', 'the login shell did not end within 5 seconds'])
  expect(sleepsWith(sleep)).toEqual([])
})

test('what start-up files leave running is ended', async () => {
  const sleep = uniqueSleep()
  const { project } = makeHome(`setsid sleep ${sleep} & export MARK=set`)
  const { output } = await run(show, { cwd: project, env })

  expect([output, sleepsWith(sleep)]).toEqual(['<set>\n', []])
})

test('a failure is not tried again at once, but when a file has changed', async () => {
  const { project, write, count } = makeHome(`${counting}exit 1`)
  for (let call = 0; call < 3; call++) await run(show, { cwd: project, env })
  expect(count()).toBe(1)

  write('.bash_profile', 'export MARK=set')
  expect((await run(show, { cwd: project, env })).output).toBe('<set>\n')
})

test('the error of the command itself is the one that counts', async () => {
  const { home } = makeHome('export MARK=set')

  await expect(run(show, { cwd: `${home}/gone`, env })).rejects.toMatchObject({ code: 'ERR_WORKING_DIR' })
})
