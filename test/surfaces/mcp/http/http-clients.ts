// Real MCP clients over HTTP, of both protocol versions.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import type { CallOptions, ListedTool, Person, Question, ToolResult } from '../clients.js'

export interface HttpClient {
  sessionId: string | undefined
  protocolVersion: string | undefined
  /** What the server tells by the way, of the protocols of 2025. */
  messages: unknown[]
  listTools(): Promise<{ tools: ListedTool[]; _meta?: Record<string, unknown> | undefined }>
  call(
    name: string,
    args: Record<string, unknown>,
    options?: CallOptions & { meta?: Record<string, unknown> },
  ): Promise<ToolResult & { news: string[] }>
  askForMessages(): Promise<void>
  /** DELETE, where there are sessions. */
  terminate(): Promise<void>
  close(): Promise<void>
}

const clientInfo = { name: 'test', version: '1' }
const open = new Set<HttpClient>()

interface Opened {
  listTools(): Promise<unknown>
  callTool(params: { name: string }, options?: CallOptions): Promise<unknown>
  setLoggingLevel(level: 'info'): Promise<unknown>
  close(): Promise<void>
}

interface Sessions {
  sessionId?: string | undefined
  protocolVersion?: string | undefined
  terminateSession(): Promise<void>
}

const httpClient = (
  client: Opened,
  transport: Sessions,
  rest: Pick<HttpClient, 'messages' | 'protocolVersion'>,
): HttpClient => {
  const opened: HttpClient = {
    ...rest,
    sessionId: transport.sessionId,
    listTools: async () => (await client.listTools()) as { tools: ListedTool[] },
    call: async (name, args, { meta, ...options } = {}) => {
      const params = { name, arguments: args, ...(meta && { _meta: meta }) }
      const { content, structuredContent, isError } = (await client.callTool(params, options)) as {
        content: { text: string }[]
        structuredContent: Record<string, unknown>
        isError: boolean
      }
      const [text = '', ...news] = content.map((part) => part.text)
      return { text, news, structured: structuredContent, isError }
    },
    askForMessages: async () => void (await client.setLoggingLevel('info')),
    terminate: async () => await transport.terminateSession(),
    close: async () => {
      open.delete(opened)
      await client.close()
    },
  }
  open.add(opened)
  return opened
}

const capabilitiesOf = (person: Person | undefined) => (person ? { elicitation: { form: {} } } : {})
const initOf = (token: string) => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } })

const connect = (mode: 'auto' | 'legacy') => async (url: URL, token: string, person?: Person) => {
  const transport = new StreamableHTTPClientTransport(url, initOf(token))
  const messages: unknown[] = []
  const client = new Client(clientInfo, {
    versionNegotiation: { mode },
    capabilities: capabilitiesOf(person),
  })
  if (person !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => ({
      ...(await person(params as Question, mcpReq.signal)),
    }))
  }
  client.setNotificationHandler('notifications/message', ({ params }) => void messages.push(params.data))
  await client.connect(transport)
  const protocolVersion = client.getNegotiatedProtocolVersion()
  return httpClient(client as Opened, transport, { messages, protocolVersion })
}

const connectOld = async (url: URL, token: string, person?: Person) => {
  const transport = new OldTransport(url, initOf(token))
  const messages: unknown[] = []
  const client = new OldClient(clientInfo, { capabilities: capabilitiesOf(person) })
  if (person !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => ({
      ...(await person(params as Question, signal)),
    }))
  }
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ params }) => void messages.push(params.data),
  )
  await client.connect(transport as Parameters<typeof client.connect>[0])
  const opened: Opened = {
    listTools: () => client.listTools(),
    callTool: (params, options) => client.callTool(params, undefined, options),
    setLoggingLevel: (level) => client.setLoggingLevel(level),
    close: () => client.close(),
  }
  return httpClient(opened, transport, { messages, protocolVersion: transport.protocolVersion })
}

export type Connect = (url: URL, token: string, person?: Person) => Promise<HttpClient>

export const connectHttp: Connect = connect('auto')
export const connectHttp2025: Connect = connect('legacy')
export const connectOldHttp: Connect = connectOld

export const httpClients = [
  ['client 2', '2026-07-28', connectHttp],
  ['client 2', '2025-11-25', connectHttp2025],
  ['client of sdk 1', '2025-11-25', connectOldHttp],
] as const

/** For `afterEach` or `afterAll`. */
export const closeHttpClients = async (): Promise<void> => {
  for (const client of [...open]) await client.close()
}
