// BashInput through the adapters: the model reads what the tool says, and input that is refused is an error.

import { createBashSuite } from '../../../lib/index.js'
import { aiTool } from '../../../lib/surfaces/adapters/ai.js'
import { anthropicTool } from '../../../lib/surfaces/adapters/anthropic.js'
import { openaiTool } from '../../../lib/surfaces/adapters/openai.js'
import { endJobs, tempStore } from '../../support/jobs.js'

afterEach(endJobs)

const context = { workingDir: '/' }

const started = async () => {
  const suite = createBashSuite({ tty: true, jobs: tempStore() })
  const { jobId: bash_id = '' } = await suite.bash.execute(
    { command: 'read -sp "Password: " x', tty: true },
    context,
  )
  return { suite, bash_id }
}
const refused = '[a secret is asked; it is not yours to type]'

test('the AI SDK', async () => {
  const { suite, bash_id } = await started()
  const tool = aiTool(suite.bashInput, context)
  const results = []
  const options = { toolCallId: '1', messages: [], context: undefined }
  for await (const result of tool.execute({ bash_id, text: 'x' }, options as never)) results.push(result)
  const output = results.at(-1) as never

  expect(tool.toModelOutput({ output })).toEqual({ type: 'error-text', value: refused })
})

test('the Anthropic SDK', async () => {
  const { suite, bash_id } = await started()
  const tool = anthropicTool(suite.bashInput, context)

  expect(tool.name).toBe('BashInput')
  await expect(tool.run({ bash_id, text: 'x' })).rejects.toMatchObject({ content: refused })
  expect(await tool.run({ bash_id, keys: ['C-c'] })).toBe('[killed: SIGINT]')
})

test('the OpenAI Agents SDK', async () => {
  const { suite, bash_id } = await started()
  const tool = openaiTool(suite.bashInput, context)

  expect(tool).toMatchObject({ name: 'BashInput', parameters: { properties: { keys: { type: 'array' } } } })
  const input = JSON.stringify({ bash_id, text: 'x' })
  expect(await tool.invoke({} as never, input)).toContain(refused)
})
