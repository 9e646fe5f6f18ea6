// The MCP server: the tools for one client, whatever its protocol version.

import {
  type ProgressToken,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { type Progress, startHeartbeat } from './progress.js'
import { type ServerToolsOptions, serverTools } from './tools.js'

export interface McpServerOptions extends ServerToolsOptions {
  version: string
  /** Milliseconds between two signs of life of a call whose client asks for progress. Default 10000. */
  heartbeatMs?: number
}

export interface BashServer {
  /** A server for a connection. It may be called again: a client's first question may be answered by one of its own. */
  connect(): Server
  /** Resolves when no call is in progress any more. */
  idle(): Promise<void>
}

const instructions = `Runs commands with bash on this machine. Use bash for a command, bash_output and kill_bash for
commands that go on in the background.`

/** Calls end with the connection: their commands are killed. Background jobs go on. */
export function createBashServer({
  version,
  heartbeatMs = 10_000,
  ...options
}: McpServerOptions): BashServer {
  const { jobs } = options
  const tools = serverTools(options)
  const definitions = [...tools.values()].map(({ definition }) => definition)
  const calls = new Set<Promise<unknown>>()

  async function callTool(name: string, input: unknown, { mcpReq }: ServerContext) {
    const tool = tools.get(name)
    if (tool === undefined) {
      const names = [...tools.keys()].join(', ')
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name} (there are ${names})`)
    }
    let bytes = 0
    let jobId: string | undefined
    const outputBytes = async () => (jobId === undefined ? bytes : (await jobs.get(jobId)).outputBytes)
    const token = mcpReq._meta?.progressToken
    const notify = (progress: Progress) =>
      mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: token as ProgressToken, ...progress },
      })
    const stopHeartbeat =
      token === undefined ? undefined : await startHeartbeat(heartbeatMs, notify, outputBytes)
    try {
      const { text, structured, isError } = await tool.call(input, {
        toolCallId: String(mcpReq.id),
        cancel: mcpReq.signal,
        onOutput: (count) => {
          bytes += count
        },
        onJob: (id) => {
          jobId = id
        },
      })
      return { content: [{ type: 'text' as const, text }], structuredContent: structured, isError }
    } finally {
      stopHeartbeat?.()
    }
  }

  return {
    connect() {
      const server = new Server(
        { name: 'bashward', title: 'bashward', version },
        { capabilities: { tools: {} }, instructions },
      )
      server.setRequestHandler('tools/list', () => ({ tools: definitions }))
      server.setRequestHandler('tools/call', async ({ params }, context) => {
        const call = callTool(params.name, params.arguments ?? {}, context)
        calls.add(call)
        try {
          return await call
        } finally {
          calls.delete(call)
        }
      })
      return server
    },

    async idle() {
      while (calls.size > 0) await Promise.allSettled(calls)
    },
  }
}
