// The MCP server: the tools for one client, whatever its protocol version.

import {
  type LoggingLevel,
  type ProgressToken,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { humanizeBytes } from '../../processes/output/bytes.js'
import { elicitApproval } from './approval.js'
import { knowsForms } from './client-capabilities.js'
import { Conversation } from './conversation.js'
import { type Progress, startHeartbeat } from './progress.js'
import { handleTaskRequests, knowsTasks, tasksExtension } from './task-requests.js'
import { answerOf, type CallAnswer, Tasks } from './tasks.js'
import { type ServerToolsOptions, serverTools } from './tools.js'

/** Of the protocol of 2025, whose clients ask for messages by their level. */
const levelsThatTellEnds: readonly LoggingLevel[] = ['debug', 'info']

export interface McpServerOptions extends ServerToolsOptions {
  version: string
  /** Whether results have structured content, and tools an output schema: for programs. Default false. */
  structured?: boolean
  /** Milliseconds between two signs of life of a call whose client asks for progress. Default 10000. */
  heartbeatMs?: number
  /** Milliseconds that a person has to answer a question that is asked during a call. Default 600000. */
  patienceMs?: number
}

export interface BashServer {
  /**
   * A server for a connection. It may be called again: a client's first question may be answered by one of its own.
   *
   * @param shared what the connection does not have for itself alone; default: it has a conversation of its own, which ends
   *   with it
   * @param onCancelled told of each call that has ended, and is not answered
   */
  connect(shared?: SharedConversation, onCancelled?: (id: ServerContext['mcpReq']['id']) => void): Server
  /** For `connect()`; to be closed. */
  converse(): Conversation
  /** Resolves when no call is in progress any more. */
  idle(): Promise<void>
}

/** What a client has put beside the parameters of its request, unchecked. */
export type RequestMeta = Readonly<Record<string, unknown>>

/** Conversations that outlive a connection, or have several. */
export interface SharedConversation {
  /**
   * What a call belongs to, which begins now.
   *
   * @throws {ProtocolError} when the call cannot be taken
   */
  enter(meta: RequestMeta): EnteredCall
  /** Of the connection, when its client asks for news as they happen. */
  conversation: Conversation
  /** What the client is told with the list of tools. */
  listMeta(meta: RequestMeta): Record<string, unknown>
}

export interface EnteredCall {
  conversation: Conversation
  /** Of a call that may be sent again: it starts once. */
  once?: { callId: string; conversationId: string }
  /** To be called when it has ended. */
  leave(): void
}

const instructions = `Runs commands with bash on this machine. Use bash for a command, bash_output and kill_bash for
commands that go on in the background. When one of those ends, the next result of any tool says so.`

/** Where commands can have terminals. */
const ttyInstructions =
  ' Use bash_input for what asks, or fills the screen: it types into commands that bash has started with tty.'

/** Calls end with the connection: their commands are killed. Background jobs go on. */
export function createBashServer({
  version,
  structured: isStructured = false,
  heartbeatMs = 10_000,
  patienceMs = 600_000,
  ...options
}: McpServerOptions): BashServer {
  const { jobs } = options
  const { byName: tools, ended, kill } = serverTools(options)
  const told = options.tty ? instructions + ttyInstructions : instructions
  /** Whether somebody is asked, and can be. */
  const asks = (server: Server, context: ServerContext) =>
    options.verdicts !== undefined && knowsForms(server, context)
  let tasks: Tasks | undefined
  const tasksOf = () => {
    tasks ??= new Tasks(jobs, { ended, kill }, isStructured)
    return tasks
  }
  const calls = new Set<Promise<unknown>>()

  async function callTool(
    name: string,
    input: unknown,
    context: ServerContext,
    server: Server,
    { conversation, once }: EnteredCall,
  ) {
    const { mcpReq } = context
    const { news, session, questions, remembered } = conversation
    const tool = tools.get(name)
    if (tool === undefined) {
      const names = [...tools.keys()].join(', ')
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name} (there are ${names})`)
    }
    let bytes = 0
    let jobId: string | undefined
    const outputBytes = async () =>
      jobId === undefined ? bytes : (await jobs.wait(jobId, { timeoutMs: 0 })).outputBytes
    const approval = asks(server, context) ? elicitApproval(context, questions, patienceMs) : undefined
    const describe = async (elapsedS: number) => {
      if (approval?.isWaiting) return `waiting for an approval, ${elapsedS}s`
      return `running for ${elapsedS}s, ${humanizeBytes(await outputBytes().catch(() => 0))} of output`
    }
    const token = mcpReq._meta?.progressToken
    const notify = (progress: Progress) =>
      mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: token as ProgressToken, ...progress },
      })
    const stopHeartbeat =
      token === undefined ? undefined : await startHeartbeat(heartbeatMs, notify, describe)
    try {
      const answer = await tool.call(input, {
        toolCallId: once?.callId ?? String(mcpReq.id),
        onceIn: once?.conversationId,
        cancel: mcpReq.signal,
        session,
        approval,
        remembered,
        onOutput: (count) => {
          bytes += count
        },
        onJob: (id) => {
          jobId = id
        },
      })
      if (approval?.question !== undefined && !mcpReq.signal.aborted) return approval.question
      const { startedJob, isUnfinished, endedJob } = answer
      // Its client asks for the end, and needs no news of it.
      if (startedJob !== undefined && isUnfinished && !mcpReq.signal.aborted && knowsTasks(context)) {
        // The library's types know no such result; it passes it on.
        return (await tasksOf().create(startedJob, answer)) as unknown as CallAnswer
      }
      if (startedJob !== undefined) news.follow(startedJob)
      if (endedJob !== undefined) news.forget(endedJob)
      // The result of a call that was cancelled is not sent.
      const ends = mcpReq.signal.aborted ? [] : news.take()
      return answerOf(answer, isStructured, ends)
    } finally {
      stopHeartbeat?.()
    }
  }

  return {
    connect(shared, onCancelled) {
      const server = new Server(
        { name: 'bashward', title: 'bashward', version },
        {
          capabilities: { tools: {}, logging: {}, extensions: { [tasksExtension]: {} } },
          instructions: told,
        },
      )
      const conversation = shared?.conversation ?? newConversation(options)
      const enter = (meta: RequestMeta): EnteredCall => shared?.enter(meta) ?? { conversation, leave() {} }
      let level: LoggingLevel | undefined
      const tell = (data: string) => {
        if (level === undefined || !levelsThatTellEnds.includes(level)) return
        const params = { level: 'info' as const, logger: 'bashward', data }
        // To a client that is gone nothing can be told.
        server.notification({ method: 'notifications/message', params }).catch(() => {})
      }
      server.onclose = () => {
        conversation.ignore(tell)
        if (shared === undefined) conversation.close()
      }
      // In place of the SDK's own, which sends messages to clients that have not asked for any.
      server.setRequestHandler('logging/setLevel', ({ params }) => {
        level = params.level
        conversation.listen(tell)
        return {}
      })
      handleTaskRequests(server, tasksOf)
      server.setRequestHandler('tools/list', (_, context) => {
        const isAsking = asks(server, context)
        const list = [...tools.values()].map(({ definition, askingDefinition }) => {
          const { outputSchema, ...tool } = (isAsking ? askingDefinition : undefined) ?? definition
          return isStructured ? { ...tool, outputSchema } : tool
        })
        if (shared === undefined) return { tools: list }
        return { tools: list, _meta: shared.listMeta(context.mcpReq._meta ?? {}) }
      })
      server.setRequestHandler('tools/call', async ({ params }, context) => {
        const entered = enter(context.mcpReq._meta ?? {})
        const call = callTool(params.name, params.arguments ?? {}, context, server, entered)
        calls.add(call)
        try {
          return await call
        } finally {
          calls.delete(call)
          if (context.mcpReq.signal.aborted) onCancelled?.(context.mcpReq.id)
          entered.leave()
        }
      })
      return server
    },

    converse: () => newConversation(options),

    async idle() {
      while (calls.size > 0) await Promise.allSettled(calls)
    },
  }
}

function newConversation({ jobs, session, workingDir }: ServerToolsOptions): Conversation {
  return new Conversation(jobs, session ? workingDir : undefined)
}
