// Real MCP clients, each with a `bashward mcp --structured` of its own as a child process.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { tempDir } from '../../support/temp-dir.js'
import { binPath, jobsOfTest } from '../cli/program.js'

export interface ToolResult {
  text: string
  structured: Record<string, unknown>
  isError: boolean
}

export interface CallOptions {
  signal?: AbortSignal
  onprogress?: (progress: { progress: number; message?: string | undefined }) => void
}

/** What a person is asked. */
export interface Question {
  message: string
  requestedSchema: { properties: Record<string, { enum?: string[] }> }
}

/** What the person does; undefined: the client has not declared that it can ask. */
export type Person = (question: Question, signal: AbortSignal) => Answer | Promise<Answer>

export interface Answer {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, string>
}

export interface ListedTool {
  name: string
  description?: string | undefined
  inputSchema: object
  outputSchema?: object | undefined
  annotations?: object | undefined
}

/** What all of the clients can do, in one form. */
export interface TestClient {
  /** The server's process id. */
  pid: number
  protocolVersion: string | undefined
  listTools(): Promise<ListedTool[]>
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<ToolResult>
  close(): Promise<void>
}

const clientInfo = { name: 'test', version: '1' }

const open = new Set<TestClient>()

const parametersFor = (args: string[]) => {
  const { PATH = '', HOME = '/' } = process.env
  // <state home>/bashward/jobs
  const stateHome = dirname(dirname(jobsOfTest().directory))
  const env = { PATH, HOME, XDG_STATE_HOME: stateHome, LANG: 'C.UTF-8' }
  return {
    command: process.execPath,
    args: [binPath, 'mcp', '--structured', ...args],
    env,
    cwd: '/',
    stderr: 'inherit' as const,
  }
}

interface AnyClient {
  listTools(): Promise<{ tools: ListedTool[] }>
  close(): Promise<void>
}

const testClient = (
  client: AnyClient,
  call: (params: object, options?: CallOptions) => Promise<unknown>,
  rest: Pick<TestClient, 'pid' | 'protocolVersion'>,
): TestClient => {
  const opened: TestClient = {
    ...rest,
    listTools: async () => (await client.listTools()).tools,
    call: async (name, args, options) => {
      const { content, structuredContent, isError } = (await call({ name, arguments: args }, options)) as {
        content: { text: string }[]
        structuredContent: Record<string, unknown>
        isError: boolean
      }
      return { text: content[0]?.text ?? '', structured: structuredContent, isError }
    },
    close: async () => {
      open.delete(opened)
      await client.close()
    },
  }
  open.add(opened)
  return opened
}

const capabilitiesOf = (person: Person | undefined) => (person ? { elicitation: { form: {} } } : {})

const connect = async (args: string[], mode: 'auto' | 'legacy', person?: Person) => {
  const transport = new StdioClientTransport(parametersFor(args))
  const client = new Client(clientInfo, {
    versionNegotiation: { mode },
    capabilities: capabilitiesOf(person),
  })
  if (person !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => ({
      ...(await person(params as Question, mcpReq.signal)),
    }))
  }
  await client.connect(transport)
  return testClient(client, (params, given) => client.callTool(params as { name: string }, given), {
    pid: transport.pid ?? 0,
    protocolVersion: client.getNegotiatedProtocolVersion(),
  })
}

const connectOld = async (args: string[], person?: Person) => {
  const transport = new OldTransport(parametersFor(args))
  let protocolVersion: string | undefined
  Object.assign(transport, { setProtocolVersion: (version: string) => (protocolVersion = version) })
  const client = new OldClient(clientInfo, { capabilities: capabilitiesOf(person) })
  if (person !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => ({
      ...(await person(params as Question, signal)),
    }))
  }
  await client.connect(transport)
  const call = (params: object, options?: CallOptions) =>
    client.callTool(params as { name: string }, undefined, options)
  return testClient(client, call, { pid: transport.pid ?? 0, protocolVersion })
}

/** Of @modelcontextprotocol/client 2, with the protocol of 2026. */
export const connectClient = (...args: string[]): Promise<TestClient> => connect(args, 'auto')

/** The same client with the protocol of 2025. */
export const connectLegacyClient = (...args: string[]): Promise<TestClient> => connect(args, 'legacy')

/** Of @modelcontextprotocol/sdk 1. */
export const connectOldClient = (...args: string[]): Promise<TestClient> => connectOld(args)

/** Those that can ask a person. */
export const askingClients = [
  [
    'client 2, protocol of 2026',
    (person: Person, ...args: string[]): Promise<TestClient> => connect(args, 'auto', person),
  ],
  [
    'client 2, protocol of 2025',
    (person: Person, ...args: string[]): Promise<TestClient> => connect(args, 'legacy', person),
  ],
  [
    'client of sdk 1, protocol of 2025',
    (person: Person, ...args: string[]): Promise<TestClient> => connectOld(args, person),
  ],
] as const

/** Closes the clients that a test has left open. For `afterAll`. */
export const closeClients = async (): Promise<void> => {
  for (const client of [...open]) await client.close()
}

/** A file that is there when the command has run. */
export const trace = () => {
  const file = join(tempDir(), 'ran')
  return { command: `touch ${file}`, hasRun: () => existsSync(file) }
}
