// `bashward mcp --http` and real clients of both protocol versions.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  killLeftovers,
  sleepsWith,
  uniqueSleep,
  waitForSleep,
  waitUntilGone,
} from '../../../support/processes.js'
import { testRestricted } from '../../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'
import { waitFor } from '../../../support/wait-for.js'
import { killPrograms } from '../../cli/program.js'
import type { Answer, Person, Question } from '../clients.js'
import { closeHttpClients, type HttpClient, httpClients } from './http-clients.js'
import { type HttpProgram, newToken, startHttpProgram } from './servers.js'

afterEach(killLeftovers)
afterEach(removeTempDirs)

afterAll(async () => {
  await closeHttpClients()
  await killPrograms()
})

// A server takes a second to start on a loaded machine: tests share them.
const tokens = [newToken(), newToken()]
const [token = '', otherToken = ''] = tokens
let plain: HttpProgram
let restricted: HttpProgram
let judging: HttpProgram
beforeAll(async () => {
  plain = await startHttpProgram(tokens, ['--cwd', '/usr', '--session', '--background-after', '31'])
  restricted = await startHttpProgram(tokens, ['--restricted'])
  judging = await startHttpProgram(tokens, ['--verdicts'])
})

describe.each(httpClients)('%s, protocol of %s', (_, version, connect) => {
  let client: HttpClient
  beforeAll(async () => {
    client = await connect(plain.url, token)
  })

  test('it speaks the protocol, with a session where there are sessions', () => {
    expect(client.protocolVersion).toBe(version)
    expect(client.sessionId === undefined).toBe(version === '2026-07-28')
  })

  test('it lists the three tools', async () => {
    const { tools } = await client.listTools()

    expect(tools.map(({ name }) => name)).toEqual(['bash', 'bash_output', 'kill_bash'])
  })

  test('it runs a command, with text and structured content', async () => {
    expect(await client.call('bash', { command: 'echo out; exit 3' })).toEqual({
      text: '[command failed: exit code 3]\nout\n',
      news: [],
      structured: expect.objectContaining({ status: 'failed', output: 'out\n', exitCode: 3 }),
      isError: true,
    })
  })

  test('it is told of progress', async () => {
    const messages: unknown[] = []
    const told = join(tempDir(), 'told')
    const { isError } = await client.call(
      'bash',
      { command: `until [ -e '${told}' ]; do sleep 0.05; done` },
      {
        onprogress: ({ message }) => {
          messages.push(message)
          writeFileSync(told, '')
        },
      },
    )

    expect(isError).toBe(false)
    expect(messages).toEqual(['started'])
  })

  test('it cancels a call, whose command is killed', async () => {
    const marker = uniqueSleep()
    const cancel = new AbortController()
    const call = client.call('bash', { command: `sleep ${marker}` }, { signal: cancel.signal })
    await waitForSleep(marker)
    cancel.abort('enough')

    await expect(call).rejects.toThrow()
    await waitUntilGone(marker)
  })

  test('its calls share a session, and not with another token', async () => {
    const other = await connect(plain.url, otherToken)
    await client.call('bash', { command: 'cd /usr/bin; kept=1' })

    expect((await client.call('bash', { command: 'pwd; echo $kept' })).text).toBe('/usr/bin\n1\n')
    expect((await other.call('bash', { command: 'pwd; echo $kept' })).text).toBe('/usr\n\n')
  })

  test('it starts a background command, reads it, ends it', async () => {
    const marker = uniqueSleep()
    const started = await client.call('bash', { command: `echo up; sleep ${marker}`, mode: 'background' })
    const { jobId } = started.structured as { jobId: string }
    const read = await client.call('bash_output', { bash_id: jobId, until: 'up', wait_ms: 10_000 })
    const killed = await client.call('kill_bash', { bash_id: jobId })

    expect(read.text).toContain('up')
    expect(killed.structured).toEqual({ status: 'killed' })
    expect(sleepsWith(marker)).toEqual([])
  })

  test('the next result tells of a background command that has ended', async () => {
    const { structured } = await client.call('bash', { command: 'exit 5', mode: 'background' })
    const { jobId } = structured as { jobId: string }
    const news = await waitFor(
      async () => {
        const result = await client.call('bash', { command: 'true' })
        return result.news.length > 0 ? result.news : undefined
      },
      { what: 'the news' },
    )

    expect(news).toEqual([expect.stringContaining(`[job ${jobId} ended: exit code 5`)])
  })

  testRestricted('with --restricted a write is refused', async () => {
    const confined = await connect(restricted.url, token)
    const { structured } = await confined.call('bash', { command: 'touch /tmp/denied' })

    expect(structured).toMatchObject({ sandbox: 'restricted', status: 'failed' })
  })

  describe('with --verdicts', () => {
    const ask = async (person: Person | undefined, command: string) => {
      const asked: Question[] = []
      const asking = await connect(
        judging.url,
        token,
        person &&
          ((question, signal) => {
            asked.push(question)
            return person(question, signal)
          }),
      )
      return { asking, asked, result: await asking.call('bash', { command }) }
    }
    const accept = (answer: string): Answer => ({ action: 'accept', content: { answer } })

    test('the person is asked, and a yes runs it', async () => {
      const file = join(tempDir(), 'ran')
      const { asked, result } = await ask(() => accept('once'), `touch ${file}`)

      expect(asked[0]?.message).toContain(`touch ${file}`)
      expect(result.isError).toBe(false)
      expect(existsSync(file)).toBe(true)
    })

    test('a no does not', async () => {
      const file = join(tempDir(), 'ran')
      const { result } = await ask(() => accept('deny'), `touch ${file}`)

      expect(result.structured).toMatchObject({ status: 'rejected' })
      expect(existsSync(file)).toBe(false)
    })

    test('where nobody can be asked it does not, either', async () => {
      const file = join(tempDir(), 'ran')
      const { result } = await ask(undefined, `touch ${file}`)

      expect(result.text).toContain('nobody can be asked')
      expect(existsSync(file)).toBe(false)
    })

    test('"always" holds for the next call', async () => {
      const file = join(tempDir(), 'ran')
      const { asking, asked } = await ask(() => accept('always'), `mkdir ${file}`)
      await asking.call('bash', { command: `mkdir ${file}2` })

      expect(asked).toHaveLength(1)
      expect(existsSync(`${file}2`)).toBe(true)
    })
  })
})

describe.each(httpClients.slice(1))('%s, protocol of %s', (_, __, connect) => {
  test('it is told at once of a background command that has ended, if it asks for messages', async () => {
    const client = await connect(plain.url, token)
    await client.askForMessages()
    await client.call('bash', { command: 'exit 6', mode: 'background' })

    await waitFor(() => client.messages.length > 0, { what: 'the message' })
    expect(client.messages).toEqual([expect.stringContaining('ended: exit code 6')])
  })

  test('it ends its session, and the command of a call with it', async () => {
    const marker = uniqueSleep()
    const client = await connect(plain.url, token)
    const call = client.call('bash', { command: `sleep ${marker}` }).catch(() => 'ended')
    await waitForSleep(marker)
    await client.terminate()

    await waitUntilGone(marker)
    await client.close()
    expect(await call).toBe('ended')
  })
})
