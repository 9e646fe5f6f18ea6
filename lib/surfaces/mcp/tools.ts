// The tools of the MCP server: what a client is told of each, and what a call does.

import type { Tool as McpTool, ToolAnnotations } from '@modelcontextprotocol/server'
import { BashError } from '../../base/errors.js'
import type { CallLedger } from '../../commands/calls/call-ledger.js'
import type { Job } from '../../commands/jobs/job.js'
import type { SandboxMode, SandboxPolicy } from '../../guard/sandbox/policy.js'
import { bashOutputDescription, createBashOutputTool } from '../../tools/suite/bash-output.js'
import { createBashSuite, ttyTools } from '../../tools/suite/suite.js'
import type { Tool, ToolContext } from '../../tools/types.js'
import type { Approve, VerdictOptions } from '../../tools/verdicts/options.js'
import { createLimitedBash, type LimitedBashOptions, type LimitedBashResult } from './bash.js'
import { typeInto } from './bash-input.js'
import { bashOutputResultSchema, bashResultSchema, killBashResultSchema, news } from './schemas.js'
import type { ServerCall, ServerToolResult } from './server-call.js'
import { bashInputResultSchema, withTerminal } from './terminal-schemas.js'

export interface ServerToolsOptions
  extends Pick<
    LimitedBashOptions,
    'jobs' | 'workspace' | 'scratch' | 'safety' | 'env' | 'tty' | 'maxOutputChars'
  > {
  /** Where commands run. */
  workingDir: string
  sandbox: SandboxMode
  /** Milliseconds after which a command that still runs goes on as a background job. */
  backgroundAfterMs: number
  /** Whether the calls of a connection share a session. Default false. */
  session?: boolean
  /** Whether commands are judged; the person at the client is asked. Default: they are not. */
  verdicts?: Pick<VerdictOptions, 'policy' | 'default' | 'reads'>
  /** Where calls are noted that may be sent again. Default: there are none. */
  calls?: CallLedger
}

export interface ServerTool {
  definition: McpTool
  /** For a client whose person can be asked, where it is another. */
  askingDefinition?: McpTool
  /** Never rejects. */
  call(input: unknown, call: ServerCall): Promise<ServerToolResult>
}

export interface ServerTools {
  byName: ReadonlyMap<string, ServerTool>
  /**
   * What an unfinished call would have given, now that its job has ended.
   *
   * @param answer what it was answered with; undefined when that is not known any more
   * @throws {BashError} (rejects) when the job cannot be read
   */
  ended(job: Job, answer: ServerToolResult | undefined): Promise<ServerToolResult>
  /**
   * Kills a job, as kill_bash does; what has ended is left as it is.
   *
   * @throws {BashError} (rejects) where kill_bash refuses it
   */
  kill(id: string): Promise<void>
}

export function serverTools(options: ServerToolsOptions): ServerTools {
  const { workingDir, sandbox, workspace, scratch, safety, env, verdicts, tty, maxOutputChars } = options
  const { backgroundAfterMs: answerWithinMs, jobs, session = false, calls: ledger } = options
  /** The calls of commands that are judged, by their contexts: a tool knows none of its conversations. */
  const judged = new WeakMap<object, ServerCall>()
  const seen = tty ? new (ttyTools().SeenOutput)() : undefined
  const bashThat = (approve?: Approve, calls?: CallLedger) => {
    const onRemember: VerdictOptions['onRemember'] = (remembered, context) =>
      judged.get(context)?.remembered?.add(remembered)
    return createLimitedBash({
      ...{ jobs, answerWithinMs, session, workspace, scratch, safety, env, calls, seen, maxOutputChars },
      // What is typed must not be typed twice.
      tty: calls === undefined ? tty : false,
      verdicts: verdicts && { ...verdicts, approve, onRemember },
    })
  }
  const bash = bashThat()
  const askPerson: Approve = (request, { context, signal }) => {
    const approval = judged.get(context)?.approval
    if (approval === undefined) throw new Error('nobody can be asked')
    return approval.approve(request, signal)
  }
  const askingBash = verdicts && bashThat(askPerson)
  const onceBash = ledger && bashThat(undefined, ledger)
  const askingOnceBash = verdicts && ledger && bashThat(askPerson, ledger)
  const bashFor = ({ approval, onceIn }: ServerCall) => {
    const silent = onceIn === undefined ? bash : (onceBash ?? bash)
    if (approval === undefined) return silent
    return (onceIn === undefined ? askingBash : askingOnceBash) ?? silent
  }
  const { killBash } = createBashSuite({ jobs, session: false })
  const bashOutput = createBashOutputTool(() => jobs, {
    longestWaitMs: answerWithinMs,
    ...(maxOutputChars !== undefined && { maxChars: maxOutputChars }),
    terminals: bash.terminals?.bashOutput,
  })
  const context = { workingDir, sandbox }
  const toldOf = (result: LimitedBashResult) => {
    const { command, display, usage, enforced, removedEnv, ...structured } = result
    const isError =
      result.status !== 'completed' && result.status !== 'background' && result.answer !== 'no-match'
    return { text: bash.toText(result), structured, isError }
  }
  const bashDefinition = (tool: typeof bash) =>
    define(tool, tty ? withTerminal(bashResultSchema) : bashResultSchema, {
      name: 'bash',
      title: 'Run a command',
      description: tool.description(context),
      annotations: bashAnnotations(sandbox, workspace?.network),
    })
  const tools: ServerTool[] = [
    {
      definition: bashDefinition(bash),
      ...(askingBash && { askingDefinition: bashDefinition(askingBash) }),
      async call(input, serverCall) {
        const { toolCallId, onceIn, cancel, session, remembered, onOutput, onJob } = serverCall
        const onEvent: ToolContext['onEvent'] = (event) => {
          if (event.type === 'output') onOutput(Buffer.byteLength(event.text) + event.dropped)
        }
        const policy = remembered?.policy
        const call = {
          ...context,
          toolCallId,
          cancel,
          onEvent,
          ...(onceIn !== undefined && { conversationId: onceIn }),
          ...(session && { session }),
          ...(policy && { policy }),
        }
        judged.set(call, serverCall)
        let isUnfinished = false
        const onUnfinished = () => {
          isUnfinished = true
        }
        const result = await bashFor(serverCall).execute(input, call, onJob, onUnfinished)
        const { status, jobId, survivors, replayed, notice } = result
        if (replayed && notice !== undefined) onUnfinished()
        const answer = toldOf(result)
        // Else it is where the portable engine keeps output that was too long.
        const goesOn = status === 'background' || survivors !== undefined
        return jobId === undefined || !goesOn ? answer : { ...answer, startedJob: jobId, isUnfinished }
      },
    },
    jobTool(bashOutput, context, tty ? withTerminal(bashOutputResultSchema) : bashOutputResultSchema, {
      name: 'bash_output',
      title: 'Read a background command',
      description: bashOutputDescription('started by bash'),
      annotations: { readOnlyHint: true, openWorldHint: false },
    }),
    jobTool(killBash, context, killBashResultSchema, {
      name: 'kill_bash',
      title: 'End a background command',
      description: 'Kills a background command of bash with everything it has started.',
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
    }),
  ]
  if (bash.terminals !== undefined) {
    const silent = bash.terminals.bashInput
    const asking = askingBash?.terminals?.bashInput ?? silent
    const type = typeInto({ silent, asking, context, onCall: (given, call) => judged.set(given, call) })
    const text = {
      name: silent.name,
      title: 'Type into a command',
      description: silent.description(context),
      annotations: bashAnnotations(sandbox, workspace?.network),
    }
    tools.push({ definition: define(silent, bashInputResultSchema, text), call: type })
  }
  return {
    byName: new Map(tools.map((tool) => [tool.definition.name, tool])),
    ended: async (job, answer) => toldOf(await bash.ended(job, context, answer?.structured)),
    async kill(id) {
      const { status, error } = await killBash.execute({ bash_id: id }, context)
      if (status !== 'error') return
      throw new BashError(error?.code ?? 'ERR_JOB_NOT_KILLED', error?.message ?? `${id} cannot be killed`)
    },
  }
}

type OutputSchema = { readonly properties: object }

/** What a client is told of a tool, besides its schemas. */
type ToolText = { name: string; title: string; description: string; annotations: ToolAnnotations }

/** Of reading and killing: all others say that the job has ended. */
const statusesWithoutEnd = ['running', 'listed', 'error']

/** One of the suite's tools for background commands, by another name. */
function jobTool<Input, Result extends { status: string }>(
  tool: Tool<Input, Result>,
  context: ToolContext<Result>,
  outputSchema: OutputSchema,
  text: ToolText,
): ServerTool {
  return {
    definition: define(tool, outputSchema, text),
    async call(input, { cancel }) {
      const result = await tool.execute(input, { ...context, cancel })
      const told = {
        text: tool.toText(result),
        structured: { ...result },
        isError: result.status === 'error',
      }
      const { bash_id: id } = (input ?? {}) as { bash_id?: unknown }
      const isOver = typeof id === 'string' && !statusesWithoutEnd.includes(result.status)
      return isOver ? { ...told, endedJob: id } : told
    },
  }
}

/** In Restricted mode the kernel sees to it that commands can read and compute, and no more; in a sandbox only listed hosts are reached. */
function bashAnnotations(sandbox: SandboxMode, network: SandboxPolicy['network']): ToolAnnotations {
  if (sandbox === 'restricted') return { readOnlyHint: true, openWorldHint: false }
  const openWorldHint = sandbox === 'unrestricted' || (network ?? false) !== false
  return { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint }
}

function define(
  { inputSchema }: { inputSchema: object },
  { properties, ...outputSchema }: OutputSchema,
  { name, title, description, annotations }: ToolText,
): McpTool {
  return {
    name,
    title,
    description,
    // Written as JSON and back: the protocol's types know no readonly arrays.
    inputSchema: structuredClone(inputSchema) as McpTool['inputSchema'],
    outputSchema: structuredClone({ ...outputSchema, properties: { ...properties, news } }) as NonNullable<
      McpTool['outputSchema']
    >,
    annotations: { title, ...annotations },
  }
}
