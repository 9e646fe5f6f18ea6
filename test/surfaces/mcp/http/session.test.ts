// A session by itself, with connections whose end comes when the test says so.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Conversations } from '../../../../lib/surfaces/mcp/http/conversations.js'
import { Events } from '../../../../lib/surfaces/mcp/http/events.js'
import type { Exchange } from '../../../../lib/surfaces/mcp/http/exchange.js'
import { httpLimits } from '../../../../lib/surfaces/mcp/http/limits.js'
import { Session } from '../../../../lib/surfaces/mcp/http/session.js'
import { Token } from '../../../../lib/surfaces/mcp/http/tokens.js'
import { createBashServer } from '../../../../lib/surfaces/mcp/server.js'
import { endJobs, tempStore } from '../../../support/jobs.js'
import { killLeftovers } from '../../../support/processes.js'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'
import { waitFor } from '../../../support/wait-for.js'
import { initialize } from './raw.js'
import { newToken } from './servers.js'

afterEach(async () => {
  await endJobs()
  killLeftovers()
  removeTempDirs()
})

const limits = { ...httpLimits, resumeMs: 1 }

const openSession = async () => {
  const place = { workingDir: '/', sandbox: 'unrestricted', safety: true } as const
  const server = createBashServer({ ...place, backgroundAfterMs: 20_000, version: '1', jobs: tempStore() })
  const conversations = new Conversations(new Token(newToken()), limits, () => server.converse())
  const events = new Events(limits.eventBytes)
  const session = new Session(server, conversations, limits, { events, onOpen() {}, onClose() {} })
  await session.connect()
  return session
}

/** A request, and all that is sent in its response. */
const exchangeOf = (session: Session, method: string, others: Record<string, string> = {}) => {
  const headers = {
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
    'Mcp-Session-Id': session.id,
    'MCP-Protocol-Version': '2025-11-25',
    ...others,
  }
  let text = ''
  let cut = () => {}
  const exchange = {
    request: new Request('http://localhost/mcp', { method, headers }),
    whenCut: (listener: () => void) => {
      cut = listener
    },
    respond: async ({ body }: Response) => {
      for await (const chunk of body ?? []) text += Buffer.from(chunk).toString()
    },
  } as unknown as Exchange
  return { exchange, text: () => text, cut: () => cut() }
}

test('a stream that was resumed does not end with the connection that carried it before', async () => {
  const session = await openSession()
  await session.serve(exchangeOf(session, 'POST').exchange, initialize())
  const go = join(tempDir(), 'go')
  const first = exchangeOf(session, 'POST')
  const command = `until [ -e ${go} ]; do sleep .02; done; echo the end`
  const params = { name: 'bash', arguments: { command } }
  const ended = [session.serve(first.exchange, { jsonrpc: '2.0', id: 1, method: 'tools/call', params })]
  const id = await waitFor(() => /^id: (\S+)/m.exec(first.text())?.[1], { what: 'an event' })
  const resumed = exchangeOf(session, 'GET', { 'Last-Event-ID': id })
  ended.push(session.serve(resumed.exchange, undefined))
  await ended[0]
  first.cut()
  // Longer than a client is waited for.
  const later = performance.now() + 100
  await waitFor(() => performance.now() > later, { what: 'the time to pass' })
  writeFileSync(go, '')
  await Promise.all(ended)
  await session.close()

  expect(resumed.text()).toContain('the end')
})
