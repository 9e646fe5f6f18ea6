// An agent's loop: the model calls tools until it is done. The commands are real, and the messages are those of
// Anthropic's Messages API. Only the model is a script: scripted-model.mjs.
//
//   node examples/agent-loop.mjs           for people
//   node examples/agent-loop.mjs --json    the messages as they are sent, one per line

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { createBashSuite, JobStore } from 'bashward'
import * as model from './scripted-model.mjs'

// A reader such as head(1) may close the pipe early: clean up all the same.
process.stdout.on('error', () => {})

const directory = mkdtempSync(join(tmpdir(), 'bashward-agent-'))
for (const [name, text] of Object.entries(model.projectFiles)) writeFileSync(join(directory, name), text)

// Keeps this agent's jobs to itself. By default they are in ~/.local/state/bashward/jobs, where every host sees them.
const jobs = new JobStore({ directory: join(directory, '.jobs') })
const tools = Object.values(createBashSuite({ jobs, termGraceMs: 500 }))
const context = { workingDir: directory, conversationId: 'agent-loop' }

/** Statuses that are a success. The API has a flag for all others. */
const goodStatuses = new Set(['completed', 'background', 'running', 'killed'])

/** Runs one of the model's calls. Never throws: the result says what went wrong. */
async function runTool({ id, name, input }, { cancel, onEvent }) {
  const tool = tools.find((candidate) => candidate.name === name)
  const result = await tool.execute(input, { ...context, toolCallId: id, cancel, onEvent })
  const block = { type: 'tool_result', tool_use_id: id, content: tool.toText(result) }
  return goodStatuses.has(result.status) ? block : { ...block, is_error: true }
}

/** One turn: the model's answer, and the results of its calls. */
async function takeTurn(messages) {
  const { content } = await model.create({
    model: 'scripted',
    max_tokens: 4096,
    tools: tools.map((tool) => ({
      name: tool.name,
      description: tool.description(context),
      input_schema: tool.inputSchema,
    })),
    messages,
  })
  const calls = content.filter(({ type }) => type === 'tool_use')
  const answer = { role: 'assistant', content }
  if (calls.length === 0) return [answer]

  const interruption = new AbortController()
  const onEvent = (event) => {
    // This is where a person would press Escape.
    if (event.type === 'output' && event.text.includes('request 3\n')) interruption.abort()
  }
  const results = []
  for (const call of calls) results.push(await runTool(call, { cancel: interruption.signal, onEvent }))
  // The API wants a result for every call, even a cancelled one, before what the person says.
  if (interruption.signal.aborted) results.push({ type: 'text', text: 'That will do. Clean up, please.' })
  return [answer, { role: 'user', content: results }]
}

async function runAgent(task) {
  const messages = [{ role: 'user', content: task }]
  show(messages)
  while (messages.at(-1).role === 'user') {
    const turn = await takeTurn(messages)
    messages.push(...turn)
    show(turn)
  }
}

function show(messages) {
  for (const message of messages) {
    if (process.argv.includes('--json')) console.log(JSON.stringify(message))
    else showToPerson(message)
  }
}

function showToPerson({ role, content }) {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  for (const { type, text, name, input, content: result, is_error: isError } of blocks) {
    if (type === 'text') console.log(`${styleText('bold', `${role}:`)} ${text}\n`)
    else if (type === 'tool_use') console.log(styleText('cyan', `${name} ${JSON.stringify(input)}`))
    else console.log(`${isError ? styleText('red', result.trimEnd()) : result.trimEnd()}\n`)
  }
}

try {
  await runAgent(model.task)
} finally {
  for (const { id, status } of await jobs.list()) if (status === 'running') await jobs.kill(id)
  rmSync(directory, { recursive: true })
}
