// What `bashward mcp` with verdicts does whoever its client is: its rules, its background commands and its time.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { killLeftovers } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { killPrograms } from '../cli/program.js'
import { type Answer, askingClients, closeClients, type Question, type TestClient, trace } from './clients.js'

const [, [, connect]] = askingClients
const once: Answer = { action: 'accept', content: { answer: 'once' } }

let client: TestClient
let asked: Question[] = []
beforeAll(async () => {
  client = await connect((question) => {
    asked.push(question)
    return once
  }, '--verdicts')
})
beforeEach(() => {
  asked = []
})
afterEach(killLeftovers)
afterEach(removeTempDirs)
afterAll(async () => {
  await closeClients()
  await killPrograms()
})

test('what a safety rule refuses is rejected without a question', async () => {
  const { structured } = await client.call('bash', { command: 'git push --force origin main' })

  expect(structured).toMatchObject({ status: 'rejected', rejection: { rule: 'git-push-force' } })
  expect(asked).toEqual([])
})

test('background commands are asked about, and read and killed without a question', async () => {
  const { structured } = await client.call('bash', { command: 'exec sleep 300', mode: 'background' })
  const { jobId: id } = structured
  expect(asked).toHaveLength(1)

  expect(await client.call('bash_output', { bash_id: id })).toMatchObject({ isError: false })
  expect(await client.call('kill_bash', { bash_id: id })).toMatchObject({ text: '[killed]' })
  expect(asked).toHaveLength(1)
})

test('rules of files decide, and imply verdicts', async () => {
  const [allowed, denied] = [trace(), trace()]
  const file = join(tempDir(), 'rules.json')
  const rules = [
    { prefix: ['touch'], decision: 'allow' },
    { prefix: ['cp'], decision: 'deny', why: 'no copies' },
  ]
  writeFileSync(file, JSON.stringify({ rules }))
  const own = await connect(
    (question) => {
      asked.push(question)
      return once
    },
    ...['--policy', file],
  )
  await own.call('bash', { command: allowed.command })
  const { text } = await own.call('bash', { command: `cp /dev/null x; ${denied.command}` })

  expect(text).toContain('no copies')
  expect([allowed.hasRun(), denied.hasRun()]).toEqual([true, false])
  expect(asked).toEqual([])
})

test('the time in which a call is answered begins with the command', async () => {
  const { command, hasRun } = trace()
  const own = await connect(
    async () => {
      const askedAt = performance.now()
      await waitFor(() => performance.now() - askedAt > 3100, { what: 'the person' })
      return once
    },
    ...['--verdicts', '--background-after', '3'],
  )
  const { structured } = await own.call('bash', { command })

  expect(structured).toMatchObject({ status: 'completed' })
  expect(hasRun()).toBe(true)
})
