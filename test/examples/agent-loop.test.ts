// examples/agent-loop.mjs: what the model is sent, and that nothing stays behind.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { cannotTest } from '../support/must-work.js'
import { isAlive } from '../support/processes.js'
import { removeTempDirs } from '../support/temp-dir.js'
import { killPrograms } from '../surfaces/cli/program.js'
import { type ExampleOptions, startExample, testExample } from './example.js'

afterEach(killPrograms)
afterAll(removeTempDirs)

interface Block {
  type: 'text' | 'tool_use' | 'tool_result'
  text?: string
  id?: string
  name?: string
  tool_use_id?: string
  content?: string
  is_error?: true
}

interface Message {
  role: 'user' | 'assistant'
  content: string | Block[]
}

const hasGit = spawnSync('git', ['--version'], { stdio: 'ignore' }).status === 0

const testLoop = (behaviour: string, body: Parameters<typeof testExample>[1]): void =>
  testExample(behaviour, async (options) => {
    if (!hasGit) return cannotTest('git is missing')
    await body(options)
  })

const messagesOf = async (options: ExampleOptions): Promise<Message[]> => {
  const { code, stdout, stderr } = await startExample('agent-loop.mjs', {
    ...options,
    args: ['--json'],
  }).exited()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Message)
}

const blocksOf = ({ content }: Message): Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/** What the model reads of each call, in their order, and whether it is marked as an error. */
const results: [isError: boolean, text: RegExp][] = [
  [true, /^\[command failed: exit code 1\]\nwant 42, got 41\n$/],
  [false, /^want 42, got 42\n$/],
  [true, /^\[command rejected: git-add-blind\] /],
  [false, /^A {2}answer\.sh\n/],
  [false, /^<bash_id>bash_\w+<\/bash_id>\n<pid>\d+<\/pid>\n/],
  [false, /^ready\n$/],
  [false, /^\[running\]\nserving 42\n\[to read what follows: offset 11\]$/],
  [true, /^\[command cancelled\]\nrequest 1\nrequest 2\nrequest 3\n/],
  [false, /^\[killed\]$/],
]

testLoop('the model reads how each call went', async (options) => {
  const blocks = (await messagesOf(options)).flatMap(blocksOf).filter(({ type }) => type === 'tool_result')

  expect(blocks.map(({ is_error: isError }) => isError === true)).toEqual(results.map(([isError]) => isError))
  for (const [index, [, text]] of results.entries()) expect(blocks[index]?.content).toMatch(text)
})

testLoop('the messages are such as the API takes', async (options) => {
  const messages = await messagesOf(options)

  expect(messages.map(({ role }) => role)).toEqual(
    messages.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')),
  )
  for (const [index, message] of messages.entries()) {
    const calls = blocksOf(message).filter(({ type }) => type === 'tool_use')
    const answers = blocksOf(messages[index + 1] ?? { role: 'user', content: [] }).slice(0, calls.length)
    expect(answers.map(({ tool_use_id: id }) => id)).toEqual(calls.map(({ id }) => id))
  }
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ type: 'text' }] })
})

testLoop('a person reads the same, and nothing is left', async (options) => {
  const { code, stdout, stderr } = await startExample('agent-loop.mjs', options).exited()

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^user: .*\n\nBash \{"command":"bash test.sh"\}\n\[command failed: exit code 1\]\n/)
  expect(stdout).toMatch(/\nuser: That will do\. .*\n\nKillBash .*\n\[killed\]\n\nassistant: .*\n\n$/)
  expect(isAlive(Number(/<pid>(\d+)/.exec(stdout)?.[1]))).toBe(false)
  expect(readdirSync(options.directory)).toEqual([])
})
