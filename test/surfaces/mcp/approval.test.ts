// How a person is asked in the two generations of the protocol: what holds the client to the question that was asked.
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { createBashServer, type McpServerOptions } from '../../../lib/surfaces/mcp/server.js'
import { endJobs, storeAt, tempStore } from '../../support/jobs.js'
import { killLeftovers } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { testWorkspace } from '../../support/workspace.js'
import type { Question } from './clients.js'
import { endRawServers, startRawServer } from './raw-server.js'

const clients: Client[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await endRawServers()
  await endJobs()
  killLeftovers()
  removeTempDirs()
})

/** A file that is there when the command has run. */
const trace = () => {
  const file = join(tempDir(), 'ran')
  return { command: `touch ${file}`, hasRun: () => existsSync(file) }
}

describe('in the protocol of 2026 the call is answered with the question', () => {
  interface InputRequired {
    resultType: string
    inputRequests: Record<string, { method: string; params: { message: string } }>
    requestState: string
  }

  const forms = { elicitation: { form: {} } }
  const once = { action: 'accept', content: { answer: 'once' } }

  const start = (...options: string[]) => {
    const jobs = storeAt(join(tempDir(), 'bashward', 'jobs'))
    const { ask } = startRawServer(['--structured', '--verdicts', ...options], {
      XDG_STATE_HOME: dirname(dirname(jobs.directory)),
    })
    const call = async (command: string, more: object = {}, capabilities: object = forms) => {
      const params = { name: 'bash', arguments: { command }, ...more }
      const { result } = await ask('tools/call', params, capabilities)
      return result as unknown as InputRequired & { structuredContent: Record<string, unknown> }
    }
    /** The client calls once more, with what the person said. */
    const answer = (command: string, requestState: string | undefined, response: object = once) =>
      call(command, { inputResponses: { approval: response }, ...(requestState && { requestState }) })
    return { call, answer }
  }

  test('and the same call with the answer runs the command', async () => {
    const { command, hasRun } = trace()
    const { call, answer } = start()
    const { resultType, inputRequests, requestState } = await call(command)

    expect(resultType).toBe('input_required')
    expect(inputRequests).toMatchObject({
      approval: {
        method: 'elicitation/create',
        params: { mode: 'form', message: expect.stringContaining(command) },
      },
    })
    expect(hasRun()).toBe(false)
    const { structuredContent } = await answer(command, requestState)
    expect(structuredContent).toMatchObject({ status: 'completed' })
    expect(hasRun()).toBe(true)
  })

  test('the answer holds once', async () => {
    const { command } = trace()
    const { call, answer } = start()
    const { requestState } = await call(command)
    await answer(command, requestState)

    expect(await answer(command, requestState)).toMatchObject({ resultType: 'input_required' })
  })

  test('the answer does not hold for another command, and is worth nothing then', async () => {
    const [asked, other] = [trace(), trace()]
    const { call, answer } = start()
    const { requestState } = await call(asked.command)

    expect(await answer(other.command, requestState)).toMatchObject({ resultType: 'input_required' })
    expect(await answer(asked.command, requestState)).toMatchObject({ resultType: 'input_required' })
    expect([asked.hasRun(), other.hasRun()]).toEqual([false, false])
  })

  test('nor in another directory', async () => {
    const file = join(tempDir(), 'ran')
    const { call, answer } = start('--session')
    const { requestState } = await call(`touch ${file}`)
    const directory = await call('cd /usr')
    await answer('cd /usr', directory.requestState)

    expect(await answer(`touch ${file}`, requestState)).toMatchObject({ resultType: 'input_required' })
    expect(existsSync(file)).toBe(false)
  })

  test.each([
    ['without a question', undefined],
    ['to a question that nobody has asked', 'b2f7b6d4-0000-4000-8000-000000000000'],
  ])('an answer %s is none', async (_, requestState) => {
    const { command, hasRun } = trace()
    const { answer } = start()

    expect(await answer(command, requestState)).toMatchObject({ resultType: 'input_required' })
    expect(hasRun()).toBe(false)
  })

  test('the call with an answer is judged as any other', async () => {
    const { command, hasRun } = trace()
    const { call, answer } = start()
    const { requestState } = await call(command)
    const { structuredContent } = await answer(`git push --force; ${command}`, requestState)

    expect(structuredContent).toMatchObject({ status: 'rejected', rejection: { rule: 'git-push-force' } })
    expect(hasRun()).toBe(false)
  })

  testWorkspace(
    'what the sandbox refused is told, and not asked about: the command would run again',
    async () => {
      const base = realpathSync(tempDir())
      mkdirSync(join(base, 'project'))
      const { call, answer } = start('--workspace', '--cwd', join(base, 'project'))
      const command = 'echo ran >> runs; touch ../outside'
      const { requestState } = await call(command)
      const { structuredContent } = await answer(command, requestState)

      expect(structuredContent).toMatchObject({
        status: 'failed',
        denials: [{ operation: 'write', grant: { writable: [base] } }],
      })
      expect(readFileSync(join(base, 'project', 'runs'), 'utf8')).toBe('ran\n')
      expect(existsSync(join(base, 'outside'))).toBe(false)
    },
  )

  test.each([
    ['no kind', { elicitation: {} }, true],
    ['links only', { elicitation: { url: {} } }, false],
    ['nothing', {}, false],
  ])('a client that declares %s is asked, or is not', async (_, capabilities, isAsked) => {
    const { command, hasRun } = trace()
    const { call } = start()
    const result = await call(command, {}, capabilities)

    if (isAsked) expect(result).toMatchObject({ resultType: 'input_required' })
    else expect(result.structuredContent).toMatchObject({ rejection: { rule: 'needs-approval' } })
    expect(hasRun()).toBe(false)
  })
})

describe('in the protocols of 2025 the call waits', () => {
  const connect = async (options: Partial<McpServerOptions>, person: (question: Question) => object) => {
    const server = createBashServer({
      ...{ workingDir: '/', sandbox: 'unrestricted', scratch: undefined, safety: true, version: '1.2.3' },
      ...{ backgroundAfterMs: 20_000, jobs: tempStore(), structured: true, verdicts: {}, ...options },
    })
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
    await server.connect().connect(serverSide)
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: { form: {} } } })
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      return (await person(params as Question)) as { action: 'accept' }
    })
    clients.push(client)
    await client.connect(clientSide)
    return { server, client }
  }

  test('for as long as a person may take', async () => {
    const { command, hasRun } = trace()
    const { client } = await connect({ patienceMs: 200 }, () => new Promise(() => {}))
    const result = await client.callTool({ name: 'bash', arguments: { command } })

    expect(result).toMatchObject({
      isError: true,
      structuredContent: { status: 'rejected', rejection: { rule: 'not-approved' } },
      content: [{ text: expect.stringContaining('Nobody has answered within 0.2s.') }],
    })
    expect(hasRun()).toBe(false)
  })

  test('and its progress says so', async () => {
    const { command } = trace()
    let answer = (_: object) => {}
    const { client } = await connect({ heartbeatMs: 30 }, () => {
      return new Promise<object>((resolve) => {
        answer = resolve
      })
    })
    const messages: string[] = []
    const call = client.callTool(
      { name: 'bash', arguments: { command } },
      { onprogress: ({ message = '' }) => messages.push(message) },
    )
    await waitFor(() => messages.some((message) => /^waiting for an approval, \d+s$/.test(message)), {
      what: 'the progress',
    })
    answer({ action: 'decline' })

    expect(await call).toMatchObject({ isError: true })
  })

  testWorkspace('a person is asked about what the sandbox refused, and it runs again', async () => {
    const base = realpathSync(tempDir())
    const workingDir = join(base, 'project')
    mkdirSync(workingDir)
    const questions: Question[] = []
    const workspace = { writable: [workingDir] }
    const { client } = await connect({ workingDir, sandbox: 'workspace', workspace }, (question) => {
      questions.push(question)
      return { action: 'accept', content: { answer: 'once' } }
    })
    const result = await client.callTool({ name: 'bash', arguments: { command: 'touch ../outside' } })

    expect(result.structuredContent).toMatchObject({
      status: 'completed',
      granted: [{ writable: [base] }],
    })
    expect(existsSync(join(base, 'outside'))).toBe(true)
    expect(questions.map(({ message }) => message.split('\n')[2])).toEqual([
      '`touch ../outside`: changes files or processes',
      `The sandbox has refused it: write ${base}/outside`,
    ])
    expect(questions[1]?.requestedSchema.properties.answer?.enum).toEqual(['once', 'deny'])
  })

  test('a question is withdrawn when the call is cancelled, and the server is idle', async () => {
    const { command, hasRun } = trace()
    const cancel = new AbortController()
    const { server, client } = await connect({}, () => {
      queueMicrotask(() => cancel.abort('enough'))
      return new Promise(() => {})
    })
    const call = client.callTool({ name: 'bash', arguments: { command } }, { signal: cancel.signal })

    await expect(call).rejects.toThrow('enough')
    await server.idle()
    expect(hasRun()).toBe(false)
  })
})
