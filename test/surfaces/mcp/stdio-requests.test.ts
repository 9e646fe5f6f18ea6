// What a client may send over stdio, and should not: each request is answered, and no command outlives the client.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { killLeftovers, uniqueSleep, waitForSleep, waitUntilGone } from '../../support/processes.js'
import { waitFor } from '../../support/wait-for.js'
import { binPath } from '../cli/program.js'

let server: ChildProcess

const startServer = () => {
  server = spawn(process.execPath, [binPath, 'mcp', '--cwd', '/'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const answers: { id?: unknown; result?: unknown; error?: { code: number; message: string } }[] = []
  createInterface({ input: server.stdout as NodeJS.ReadableStream }).on('line', (line) =>
    answers.push(JSON.parse(line)),
  )
  const send = (message: object) => server.stdin?.write(`${JSON.stringify(message)}\n`)
  const answer = (id: unknown) =>
    waitFor(() => answers.find((each) => each.id === id), { what: `the answer to ${id}`, deadlineMs: 30_000 })
  const run = (id: unknown, command: string) =>
    send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'bash', arguments: { command } } })
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }
  send({ jsonrpc: '2.0', id: 'first', method: 'initialize', params })
  return { send, answer, run, answers }
}

afterEach(async () => {
  server.stdin?.end()
  await waitFor(() => server.exitCode !== null || server.signalCode !== null, {
    what: 'the server to end',
    deadlineMs: 30_000,
  })
  killLeftovers()
})

test('a second call with a busy id is refused, and both end with stdin', async () => {
  const [first, second] = [uniqueSleep(), uniqueSleep()]
  const { answer, run } = startServer()
  await answer('first')
  run(7, `sleep ${first}`)
  await waitForSleep(first)
  run(7, `sleep ${second}`)

  expect(await answer(null)).toMatchObject({
    error: { code: -32600, message: expect.stringContaining('id 7') },
  })
  server.stdin?.end()
  await waitUntilGone(first)
  await waitUntilGone(second)
})

test('an id is free again once its call is answered', async () => {
  const { answer, run, answers } = startServer()
  await answer('first')
  run(7, 'echo one')
  await answer(7)
  answers.length = 0
  run(7, 'echo two')

  expect(JSON.stringify(await answer(7))).toContain('two')
})

test.each([
  ['no version', { id: 5, method: 'tools/list' }],
  ['another version', { jsonrpc: '1.0', id: 5, method: 'tools/list' }],
  ['no method', { jsonrpc: '2.0', id: 5 }],
  ['a method that is no text', { jsonrpc: '2.0', id: 5, method: 5 }],
  ['parameters that are no object', { jsonrpc: '2.0', id: 5, method: 'tools/list', params: 'x' }],
])('a request with %s is answered', async (_, message) => {
  const { send, answer } = startServer()
  await answer('first')
  send(message)

  expect(await answer(5)).toMatchObject({ error: { code: -32600 } })
})

test.each([
  ['a field that there is not', { extra: 1 }],
  ['metadata that are no object', { params: { _meta: 5 } }],
  ['a result', { result: {} }],
])('a request with %s is answered, and its id is free afterwards', async (_, more) => {
  const { send, answer, answers } = startServer()
  await answer('first')
  send({ jsonrpc: '2.0', id: 5, method: 'ping', ...more })
  expect(await answer(5)).toMatchObject({ error: { code: -32600 } })
  answers.length = 0
  send({ jsonrpc: '2.0', id: 5, method: 'ping' })

  expect(await answer(5)).toMatchObject({ result: {} })
})

test.each([
  ['a line that is not JSON', '{"jsonrpc":"2.0","id":5,', -32700],
  ['a batch', '[{"jsonrpc":"2.0","id":5,"method":"ping"}]', -32600],
  ['an id that is none', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
])('%s is answered without an id', async (_, line, code) => {
  const { answer } = startServer()
  await answer('first')
  server.stdin?.write(`\n${line}\n`)

  expect(await answer(null)).toMatchObject({ error: { code } })
})

test.each([
  ['a request', { id: 9, params: { requestId: 7 } }],
  ['one that is malformed', { params: { requestId: 7, reason: 5 } }],
])('%s to cancel a call, which does not, leaves its id busy', async (_, cancel) => {
  const [first, second] = [uniqueSleep(), uniqueSleep()]
  const { send, answer, run } = startServer()
  await answer('first')
  run(7, `sleep ${first}`)
  await waitForSleep(first)
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', ...cancel })
  run(7, `sleep ${second}`)

  expect(await answer(null)).toMatchObject({ error: { message: expect.stringContaining('id 7') } })
  server.stdin?.end()
  await waitUntilGone(first)
})

test('an id is free again once its call is cancelled', async () => {
  const marker = uniqueSleep()
  const { send, answer, run } = startServer()
  await answer('first')
  run(7, `sleep ${marker}`)
  await waitForSleep(marker)
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
  await waitUntilGone(marker)
  send({ jsonrpc: '2.0', id: 8, method: 'ping' })
  await answer(8)
  run(7, 'echo again')

  expect(await answer(7)).toMatchObject({ result: { content: [{ text: 'again\n' }] } })
})

test('a line that is too long is refused, and the calls go on', async () => {
  const { answer, run } = startServer()
  await answer('first')
  server.stdin?.write(
    `{"jsonrpc":"2.0","id":6,"method":"ping","params":{"x":"${'x'.repeat(12 * 1024 * 1024)}"}}\n`,
  )
  expect(await answer(null)).toMatchObject({
    error: { code: -32600, message: 'a line has more than 8388608 bytes' },
  })
  run(7, 'echo alive')

  expect(await answer(7)).toMatchObject({ result: { content: [{ text: 'alive\n' }] } })
})
