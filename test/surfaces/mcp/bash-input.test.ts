// Terminals over MCP. The client checks each result by its schema.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { createBashServer } from '../../../lib/surfaces/mcp/server.js'
import { endJobs, tempStore } from '../../support/jobs.js'
import { removeTempDirs } from '../../support/temp-dir.js'

const clients: Client[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await endJobs()
  removeTempDirs()
})

const connect = async (
  tty: boolean,
  { backgroundAfterMs = 20_000, answer = 'once', verdicts = false } = {},
) => {
  const options = { workingDir: '/', sandbox: 'unrestricted', scratch: false, safety: true } as const
  const server = createBashServer({
    ...{ ...options, tty, backgroundAfterMs, jobs: tempStore(), version: '1.2.3', structured: true },
    ...(verdicts && { verdicts: {} }),
  })
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  await server.connect().connect(serverSide)
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: { form: {} } } })
  clients.push(client)
  const questions: string[] = []
  client.setRequestHandler('elicitation/create', ({ params }) => {
    questions.push(params.message)
    return { action: 'accept', content: { answer: params.message.startsWith('Run') ? 'once' : answer } }
  })
  await client.connect(clientSide)
  const { tools } = await client.listTools()
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args })
    const [content] = result.content as { text: string }[]
    return {
      text: content?.text ?? '',
      structured: (result.structuredContent ?? {}) as Record<string, unknown>,
      isError: result.isError,
    }
  }
  return { tools, call, questions, instructions: client.getInstructions() }
}

test('a program that asks is answered', async () => {
  const { call } = await connect(true)
  const started = await call('bash', { command: 'read -p "Name: " x; echo "Hello $x"', tty: true })
  const { jobId } = started.structured

  expect(started.text).toBe(
    `<bash_id>${jobId}</bash_id>
<reminder>To type: bash_input. To read its output: bash_output. To stop: kill_bash</reminder>
Name: 
[waits for a line: "bash", at "Name: "]`,
  )
  expect(started.structured).toMatchObject({ status: 'background', state: { verdict: 'line' } })
  const read = await call('bash_output', { bash_id: jobId, screen: true })
  expect(read.structured).toMatchObject({ screen: { rows: 24, cols: 100 }, state: { prompt: 'Name: ' } })
  const answered = await call('bash_input', { bash_id: jobId, text: 'Ada' })
  expect(answered).toMatchObject({ text: 'Ada\nHello Ada\n[completed]', isError: false })
})

test('its end is not told twice', async () => {
  const { call } = await connect(true)
  const { structured } = await call('bash', { command: 'read x', tty: true })
  await call('bash_input', { bash_id: structured.jobId, text: '' })

  expect((await call('bash', { command: 'true' })).structured.news).toBeUndefined()
})

test('waiting ends within the limit of an answer', async () => {
  const { call } = await connect(true, { backgroundAfterMs: 300 })
  const { structured } = await call('bash', { command: 'read x; sleep 300', tty: true })
  const { text } = await call('bash_input', { bash_id: structured.jobId, text: '', wait_ms: 60_000 })

  expect(text).toMatch(/\[running: "sleep", asleep for/)
})

test('a person is asked what may be typed', async () => {
  const { call, questions } = await connect(true, { verdicts: true, answer: 'deny' })
  const { structured } = await call('bash', { command: 'read x', tty: true })
  const { text, isError } = await call('bash_input', { bash_id: structured.jobId, text: 'yes' })

  expect([text, isError]).toEqual(['[input rejected: not-approved] A person has denied it.', true])
  expect(questions.at(-1)).toBe(
    'Type this into "bash" of the command `read x` in /?\n\n`yes`: is for `bash`\n\n    yes',
  )
})

test('without it the server is as it was', async () => {
  const { tools, call, instructions } = await connect(false)

  expect(tools.map(({ name }) => name)).toEqual(['bash', 'bash_output', 'kill_bash'])
  expect(JSON.stringify(tools)).not.toMatch(/tty|bash_input|screen/)
  expect(instructions).not.toContain('tty')
  expect((await call('bash', { command: 'true', tty: true })).text).toContain('tty: is not a known property')
})
