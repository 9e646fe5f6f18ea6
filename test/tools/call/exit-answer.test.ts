// Exit status 1 that is an answer, in the results and texts of the tools.
import {
  BashSession,
  createBashSuite,
  createBashTool,
  createExecTool,
  type ToolContext,
} from '../../../lib/index.js'
import { endJobs, tempStore } from '../../support/jobs.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterEach(endJobs)
afterAll(removeTempDirs)

const bash = createBashTool()
const run = async (command: string, context: Partial<ToolContext> = {}) => {
  const result = await bash.execute({ command }, { workingDir: '/', ...context })
  return { result, text: bash.toText(result) }
}

test('a search without a match says so in a second line', async () => {
  const { result, text } = await run('grep -c root: /dev/null')

  expect(result).toMatchObject({ status: 'failed', exitCode: 1, answer: 'no-match', output: '0\n' })
  expect(text).toBe('[command failed: exit code 1]\n[grep: no line matched]\n0\n')
})

test('a check that is not met says so, and is a failure', async () => {
  const { result, text } = await run('[ -d /dev/null ]')

  expect(result).toMatchObject({ status: 'failed', answer: 'false' })
  expect(text).toBe('[command failed: exit code 1]\n[test: the condition is false]\n')
})

test.each(['true && grep x /dev/null', 'grep x </no/file', 'false', 'exit 1'])(
  '%s has no answer',
  async (command) => {
    const { result, text } = await run(command)

    expect(result).toMatchObject({ status: 'failed', exitCode: 1 })
    expect(result).not.toHaveProperty('answer')
    expect(text).toMatch(/^\[command failed: exit code 1]\n(?!\[)/)
  },
)

test('a session with a function of that name has none', async () => {
  const session = new BashSession({ workingDir: tempDir() })

  expect((await run('grep x /dev/null', { session })).result.answer).toBe('no-match')
  await run('grep() { false; }', { session })
  expect((await run('grep x /dev/null', { session })).result.answer).toBeUndefined()
})

test.each(['PATH=.:$PATH', 'shopt -s failglob', 'command_not_found_handle() { return 1; }'])(
  'nor has one that began with %s',
  async (command) => {
    const session = new BashSession({ workingDir: tempDir() })
    await run(command, { session })

    expect((await run('grep x /dev/null', { session })).result.answer).toBeUndefined()
  },
)

test('nor has an environment with one', async () => {
  const tool = createBashTool({ env: { set: { 'BASH_FUNC_grep%%': '() { false; }' } } })
  const result = await tool.execute({ command: 'grep x /dev/null' }, { workingDir: '/' })

  expect(result).toMatchObject({ status: 'failed', exitCode: 1 })
  expect(result.answer).toBeUndefined()
})

test('the suite says it, and the exec tool does not', async () => {
  const command = 'grep x /dev/null'
  const { bash } = createBashSuite({ jobs: tempStore() })
  const exec = createExecTool()

  expect(bash.toText(await bash.execute({ command }, { workingDir: '/' }))).toContain(
    '\n[grep: no line matched]\n',
  )
  const result = await exec.execute({ command }, { workingDir: '/' })
  expect(result).toMatchObject({ exitCode: 1 })
  expect(JSON.stringify(result)).not.toContain('match')
  expect(exec.toText(result)).not.toContain('match')
})
