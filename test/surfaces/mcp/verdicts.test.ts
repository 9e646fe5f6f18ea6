// Commands that are judged, and people who are asked: `bashward mcp --verdicts` with real clients, over real pipes. Each
// command would leave a file.
import { join } from 'node:path'
import { isAlive, killLeftovers } from '../../support/processes.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { killPrograms } from '../cli/program.js'
import {
  type Answer,
  askingClients,
  closeClients,
  connectClient,
  connectLegacyClient,
  connectOldClient,
  type Person,
  type Question,
  type TestClient,
  trace,
} from './clients.js'

afterEach(killLeftovers)
afterEach(removeTempDirs)
afterAll(async () => {
  await closeClients()
  await killPrograms()
})

const accept = (content: Record<string, string>): Answer => ({ action: 'accept', content })
const once = accept({ answer: 'once' })

/** Of the tests of a client. */
let client: TestClient
let person: Person
let asked: Question[] = []

const bash = (command: string) => client.call('bash', { command })

/** A server takes a second to start on a loaded machine: tests that need none of their own share one. */
const connectBefore = (connect: (typeof askingClients)[number][1]): void => {
  beforeAll(async () => {
    client = await connect((question, signal) => {
      asked.push(question)
      return person(question, signal)
    }, '--verdicts')
  })
  beforeEach(() => {
    asked = []
    person = () => ({ action: 'cancel' })
  })
}

describe.each(askingClients)('%s', (_, connect) => {
  connectBefore(connect)

  testRestricted('what only reads runs without a question, where it can change nothing', async () => {
    const { text, structured } = await bash('echo read; ls / >/dev/null')

    expect(text).toBe('read\n')
    expect(structured).toMatchObject({ sandbox: 'restricted', judgement: { decision: 'allow' } })
    expect(asked).toEqual([])
  })

  test('"once" runs the command, and asks again for the next', async () => {
    const { command, hasRun } = trace()
    const ranBefore: boolean[] = []
    person = () => {
      ranBefore.push(hasRun())
      return once
    }
    const { structured } = await bash(command)

    expect(structured).toMatchObject({ status: 'completed', judgement: { decision: 'ask' } })
    expect(ranBefore).toEqual([false])
    expect(hasRun()).toBe(true)
    const second = trace()
    person = () => ({ action: 'decline' })
    await bash(second.command)
    expect(asked).toHaveLength(2)
    expect(second.hasRun()).toBe(false)
  })

  test('the question has the directory, the reason and the command', async () => {
    await bash('touch a\u202eb')

    expect(asked.map(({ message }) => message)).toEqual([
      'Run this command in /?\n\n`touch a\\u202eb`: changes files or processes\n\n    touch a\\u202eb',
    ])
    expect(asked[0]?.requestedSchema.properties.answer?.enum).toEqual(['once', 'always', 'deny'])
  })

  test('"deny" runs nothing, and the model reads the reason', async () => {
    const { command, hasRun } = trace()
    person = () => accept({ answer: 'deny', reason: 'write to build/ instead' })
    const { text, structured, isError } = await bash(command)

    expect(structured).toMatchObject({ status: 'rejected', rejection: { rule: 'not-approved' } })
    expect(text).toContain('write to build/ instead')
    expect(isError).toBe(true)
    expect(hasRun()).toBe(false)
  })

  test('a client that fails to ask runs nothing', async () => {
    const { command, hasRun } = trace()
    person = () => {
      throw new Error('no window')
    }
    await bash(command).catch(() => {})

    expect(asked).toHaveLength(1)
    expect(hasRun()).toBe(false)
  })

  test('a call that is cancelled while it waits runs nothing, and the question is withdrawn', async () => {
    // SDK 1 does not understand that the first request, whose id is 0, is cancelled.
    await bash(trace().command)
    const { command, hasRun } = trace()
    const cancel = new AbortController()
    let isWithdrawn = false
    person = (_, signal) => {
      queueMicrotask(() => cancel.abort('enough'))
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          isWithdrawn = true
          // It comes too late.
          resolve(once)
        })
      })
    }
    await expect(client.call('bash', { command }, { signal: cancel.signal })).rejects.toThrow('enough')
    await waitFor(() => isWithdrawn, { what: 'the withdrawal' })
    person = () => once
    const next = trace()
    await bash(next.command)

    expect(next.hasRun()).toBe(true)
    expect(hasRun()).toBe(false)
  })

  test('a client that is closed while it waits runs nothing, and the server ends', async () => {
    const { command, hasRun } = trace()
    let isAsked = false
    const own = await connect(() => {
      isAsked = true
      return new Promise(() => {})
    }, '--verdicts')
    own.call('bash', { command }).catch(() => {})
    await waitFor(() => isAsked, { what: 'the question' })
    await own.close()

    await waitFor(() => !isAlive(own.pid), { what: 'the server to end' })
    expect(hasRun()).toBe(false)
  })

  test('the tool says that a person is asked', async () => {
    const [tool] = await client.listTools()

    expect(tool?.description).toContain('A person is asked')
  })
})

const [client2026, client2025] = askingClients

// The server asks the clients of one generation in the same way, whatever SDK they have.
describe.each([client2026, client2025])('an answer of %s', (_, connect) => {
  connectBefore(connect)

  test('"always" holds for commands of that kind, on this connection', async () => {
    const own = await connect((question) => {
      asked.push(question)
      return accept({ answer: 'always' })
    }, '--verdicts')
    const files = [trace(), trace(), trace()]
    for (const { command } of files.slice(0, 2)) await own.call('bash', { command })
    await bash(files[2]?.command ?? '')

    expect(asked).toHaveLength(2)
    expect(files.map(({ hasRun }) => hasRun())).toEqual([true, true, false])
  })

  test('"always" allows no more than it says', async () => {
    const own = await connect((question) => {
      asked.push(question)
      return asked.length === 1 ? accept({ answer: 'always' }) : { action: 'decline' }
    }, '--verdicts')
    const [first, second] = [trace(), trace()]
    await own.call('bash', { command: first.command })
    await own.call('bash', { command: `touch /dev/null; echo >${join(tempDir(), 'x')}; ${second.command}` })

    expect(asked).toHaveLength(2)
    expect(second.hasRun()).toBe(false)
  })

  test.each<[string, Answer, string]>([
    ['a refusal to answer', { action: 'decline' }, 'not-approved'],
    ['a question that is closed', { action: 'cancel' }, 'not-approved'],
    ['a yes without an answer', { action: 'accept' }, 'needs-approval'],
    ['an answer that is none', accept({ answer: 'yes' }), 'needs-approval'],
  ])('%s runs nothing', async (_, answer, rule) => {
    const { command, hasRun } = trace()
    person = () => answer
    const { structured } = await bash(command)

    expect(structured).toMatchObject({ status: 'rejected', rejection: { rule } })
    expect(hasRun()).toBe(false)
  })

  test('"always" where it was not offered runs nothing', async () => {
    const { command, hasRun } = trace()
    person = () => accept({ answer: 'always' })
    await bash(`${command}; python3 none.py`)

    expect(asked[0]?.requestedSchema.properties.answer?.enum).toEqual(['once', 'deny'])
    expect(hasRun()).toBe(false)
  })
})

describe.each([
  ['client 2, protocol of 2026', connectClient],
  ['client 2, protocol of 2025', connectLegacyClient],
  ['client of sdk 1, protocol of 2025', connectOldClient],
])('%s, which cannot ask', (_, connect) => {
  beforeAll(async () => {
    client = await connect('--verdicts')
  })

  test('what asks is rejected by name', async () => {
    const { command, hasRun } = trace()
    const { text, structured, isError } = await client.call('bash', { command })

    expect(text).toMatch(/^\[needs approval: nobody can be asked here\] /)
    expect(structured).toMatchObject({ status: 'rejected', rejection: { rule: 'needs-approval' } })
    expect(isError).toBe(true)
    expect(hasRun()).toBe(false)
  })

  testRestricted('what only reads runs', async () => {
    expect(await client.call('bash', { command: 'echo read' })).toMatchObject({ text: 'read\n' })
  })

  test('the tool says so', async () => {
    const [tool] = await client.listTools()

    expect(tool?.description).toContain('Nobody can be asked')
  })
})
