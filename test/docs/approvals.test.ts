// The adapters' pages about approvals, executed with scripted models and a person who is asked about a directory.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { runModule, snippetWith } from './snippets.js'

let directory: string
beforeEach(() => {
  directory = tempDir()
})
afterEach(removeTempDirs)

/** The person is asked about `mkdir new`, which has not been made by then. */
const person = (answer: boolean) => `
  import { existsSync as isMade } from 'node:fs'
  const context = { workingDir: ${JSON.stringify(directory)} }
  const askPerson = async (...question) => {
    console.log('asked', JSON.stringify(question), isMade(context.workingDir + '/new'))
    return ${answer}
  }`

const isMade = () => existsSync(join(directory, 'new'))

describe.each([true, false])('a person answers %p', (answer) => {
  /** Runs the snippet, and expects one question. */
  const run = (page: string, part: string, prelude: string, after = ''): string => {
    const printed = runModule(`${person(answer)}\n${prelude}\n${snippetWith(page, 'js', part)}\n${after}`)
    const asked = printed.match(/^asked .*$/gm)
    expect(asked).toEqual([expect.stringMatching(/mkdir new.* false$/)])
    expect(isMade()).toBe(answer)
    return printed
  }

  test('the AI SDK', () => {
    const printed = run(
      'ai',
      'aiApproval',
      `
      import { MockLanguageModelV4 } from 'ai/test'
      const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
      const say = (content, unified) => ({ content: [content], finishReason: { unified }, usage, warnings: [] })
      const input = JSON.stringify({ command: 'mkdir new' })
      const model = new MockLanguageModelV4({
        doGenerate: async ({ prompt }) => prompt.at(-1).role === 'tool'
          ? say({ type: 'text', text: 'read ' + prompt.at(-1).content[0].output.type }, 'stop')
          : say({ type: 'tool-call', toolCallId: '1', toolName: 'bash', input }, 'tool-calls'),
      })
      const messages = [{ role: 'user', content: 'Make a directory.' }]`,
    )

    expect(printed).toContain('["mkdir new","`mkdir new`: changes files or processes"]')
    expect(printed).toContain(answer ? 'read text\n' : 'read execution-denied\n')
  })

  const openaiModel = (call: string) => `
    import { setTracingDisabled, run as runAgent } from '@openai/agents'
    import { assistantMessage, functionCall, modelResponse, ScriptedModel } from '@openai/agents/testing'
    setTracingDisabled(true)
    const model = new ScriptedModel([modelResponse([${call}]), modelResponse([assistantMessage('done')])])`

  test('OpenAI Agents', () => {
    const call = `functionCall('bash', { command: 'mkdir new' }, { callId: '1' })`

    expect(run('openai', 'interruptions', openaiModel(call))).toMatch(/^done$/m)
  })

  test("OpenAI Agents' shell tool", () => {
    const call = `{ type: 'shell_call', callId: '1', status: 'completed', action: { commands: ['ls', 'mkdir new'] } }`

    run('openai', 'openaiShellTool', openaiModel(call), `await runAgent(agent, 'Make a directory.')`)
  })

  describe('the Anthropic SDK', () => {
    const model = `
      const content = [{ type: 'tool_use', id: '1', name: 'bash', input: { command: 'mkdir new' } }]
      const end = [{ type: 'text', text: 'done' }]
      let isFirst = false
      const fetch = async () => {
        isFirst = !isFirst
        const stop_reason = isFirst ? 'tool_use' : 'end_turn'
        const usage = { input_tokens: 1, output_tokens: 1 }
        const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', stop_reason, usage }
        return Response.json({ ...message, content: isFirst ? content : end })
      }
      const client = new Anthropic({ apiKey: 'none', fetch })
      const messages = [{ role: 'user', content: 'Make a directory.' }]
      await client.beta.messages.toolRunner({ model: 'm', max_tokens: 9, tools, messages, max_iterations: 3 })`

    test.each(['createBashTool({ verdicts', 'workdir: context.workingDir'])('with %s', (part) => {
      run('anthropic', part, `import Anthropic from '@anthropic-ai/sdk'`, model)
    })
  })
})

describe("the Claude Agent SDK's canUseTool", () => {
  const decisionOn = (command: string, answer: boolean, tool = 'Bash'): string => {
    const print = `console.log(JSON.stringify(await canUseTool('${tool}', { command: '${command}' }, {})))`
    return runModule(`${person(answer)}\n${snippetWith('claude-agent-sdk', 'js', 'canUseTool')}\n${print}`)
  }

  test('what only reads runs unasked', () => {
    expect(decisionOn('ls | wc -l', false)).toBe(
      '{"behavior":"allow","updatedInput":{"command":"ls | wc -l"}}\n',
    )
  })

  test.each([
    ['what asks', 'mkdir new'],
    ['git, which may run what a repository names', 'git status'],
  ])('%s is for a person to decide', (_, command) => {
    expect(decisionOn(command, true)).toMatch(/^asked .*\n\{"behavior":"allow","updatedInput":/)
    expect(decisionOn(command, false)).toMatch(/^asked .*\n\{"behavior":"deny","message":"not now"\}\n$/)
  })

  test('what is denied is not', () => {
    expect(decisionOn('git push --force', true)).toMatch(/^\{"behavior":"deny","message":"`git push --force`/)
  })

  test('other tools are none of it', () => {
    expect(decisionOn('ls', true, 'Write')).toMatch(/^\{"behavior":"deny"/)
  })
})
