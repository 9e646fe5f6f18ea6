// The environment of commands of the exec tool: the host's, untouched (REQ-EXEC-004).

import type { ExecResult } from '../../lib/tools/exec-result.js'
import { createExecTool } from '../../lib/tools/exec-tool.js'
import { killHosts, runHost } from '../support/host.js'

afterEach(killHosts)

interface Outcome {
  results: ExecResult[]
  atStart: string[]
  now: string[]
}

/** What bash was started with, before it adds variables of its own. The second command keeps it from executing cat. */
const ofShell = 'cat /proc/$$/environ; true'

/** NULs are shown as U+2400. */
const entriesOf = ({ stdout }: ExecResult | undefined = { stdout: '', stderr: '', exitCode: 0 }): string[] =>
  stdout.split('\u2400').slice(0, -1).sort()

const hostEnvironment = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  OPENAI_API_KEY: 'sk-not-a-real-key-0123456789',
  DB_PASSWORD: 'hunter2',
  PAGER: 'less',
  EDITOR: 'vim',
  TERM: 'xterm-256color',
  GIT_TERMINAL_PROMPT: '1',
  CDPATH: '/usr',
  LINES_OF_TEXT: 'first\nsecond\n',
  EMPTY: '',
  EQUALS: 'a=b=c',
  'BASH_FUNC_greet%%': '() {  echo hello\n}',
  'odd name': 'é ☃ 👍',
}

test('bash gets exactly what the host was started with', async () => {
  const { results, atStart } = await runHost<Outcome>('exec-commands', {
    argument: { commands: [ofShell] },
    env: hostEnvironment,
  })

  expect(entriesOf(results[0])).toEqual([...atStart].sort())
  expect(entriesOf(results[0])).toContain('OPENAI_API_KEY=sk-not-a-real-key-0123456789')
})

test('nothing is added to an environment that has nothing but PATH', async () => {
  const { results } = await runHost<Outcome>('exec-commands', {
    argument: { commands: [ofShell] },
    env: { PATH: process.env.PATH },
  })

  expect(entriesOf(results[0])).toEqual([`PATH=${process.env.PATH}`])
})

test('functions of the host work', async () => {
  const { results } = await runHost<Outcome>('exec-commands', {
    argument: { commands: ['greet'] },
    env: hostEnvironment,
  })

  expect(results).toEqual([{ stdout: 'hello\n', stderr: '', exitCode: 0 }])
})

test('what the host sets later is there too', async () => {
  const { results, now } = await runHost<Outcome>('exec-commands', {
    argument: { commands: [ofShell], set: { LATER: 'yes', PAGER: 'more' } },
    env: hostEnvironment,
  })

  expect(entriesOf(results[0])).toEqual([...now].sort())
  expect(now).toEqual(expect.arrayContaining(['LATER=yes', 'PAGER=more']))
})

test('the env option adds to it', async () => {
  const tool = createExecTool({ env: { set: { ADDED: '1' } } })
  process.env.TEST_API_KEY = 'secret-value'
  const { stdout } = await tool.execute({ command: 'echo "$ADDED $TEST_API_KEY $GIT_TERMINAL_PROMPT"' })
  delete process.env.TEST_API_KEY

  expect(stdout).toBe(`1 secret-value ${process.env.GIT_TERMINAL_PROMPT ?? ''}\n`)
})

test("the env option can be that of the other tools: inherit: 'filtered'", async () => {
  const tool = createExecTool({ env: { inherit: 'filtered' } })
  process.env.TEST_API_KEY = 'secret-value'
  const { stdout } = await tool.execute({ command: 'echo "$TEST_API_KEY $PAGER"' })
  delete process.env.TEST_API_KEY

  expect(stdout).toBe(' cat\n')
})

test('the object of the env option may change afterwards without effect', async () => {
  const set = { ADDED: 'before' }
  const tool = createExecTool({ env: { set } })
  set.ADDED = 'after'

  expect(await tool.execute({ command: 'echo $ADDED' })).toMatchObject({ stdout: 'before\n' })
})
