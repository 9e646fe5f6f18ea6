// The terminals that an ACP client gives its agent: each command is a background job.

import type {
  ClientApp,
  CreateTerminalRequest,
  CreateTerminalResponse,
  KillTerminalRequest,
  ReleaseTerminalRequest,
  RequestError,
  TerminalOutputRequest,
  TerminalOutputResponse,
  WaitForTerminalExitRequest,
  WaitForTerminalExitResponse,
} from '@agentclientprotocol/sdk'
import { BashError } from '../../base/errors.js'
import { quote } from '../../base/util/bash-quotes.js'
import { checkAbsolutePath, checkInteger, checkObject } from '../../base/util/invalid-input.js'
import { onAbort } from '../../base/util/listeners.js'
import { JobStore } from '../../commands/jobs/store.js'
import { checkRedact, redactOfJobs } from '../../processes/environment/redact-option.js'
import {
  type BashTool,
  type BashToolOptions,
  bashOptionNames,
  createBashTool,
} from '../../tools/bash-tool.js'
import type { ToolContext } from '../../tools/types.js'
import { readTerminal } from './acp-output.js'
import { policiesFrom } from './session-policy.js'

export interface AcpTerminalsOptions
  extends Omit<BashToolOptions, 'calls' | 'backgroundAfter' | 'saveOutput' | 'errorLines' | 'maxOutputChars'>,
    Pick<ToolContext, 'sandbox'> {
  /**
   * Where commands run that name no directory, and where the relative paths of a policy begin for all commands. An absolute
   * path.
   */
  workingDir: string
  /** Terminals that have not been released, of all sessions together. 1…10000, default 100. */
  maxTerminals?: number | undefined
}

/** What the SDK hands to a handler, as far as it is used here. */
interface Request<Params> {
  params: Params
  /** Ends a wait. */
  signal?: AbortSignal | undefined
}

/**
 * Handlers of the five methods. They reject with the SDK's RequestError: -32602 for what is wrong with a request, -32002 for
 * a terminal that this session does not have, -32603 for a command that may not or cannot run; `data.code` is the code of
 * the {@link BashError}.
 */
export interface AcpTerminals {
  create(request: Request<CreateTerminalRequest>): Promise<CreateTerminalResponse>
  output(request: Request<TerminalOutputRequest>): Promise<TerminalOutputResponse>
  waitForExit(request: Request<WaitForTerminalExitRequest>): Promise<WaitForTerminalExitResponse>
  kill(request: Request<KillTerminalRequest>): Promise<Record<string, never>>
  release(request: Request<ReleaseTerminalRequest>): Promise<Record<string, never>>
  /** Registers all five. */
  register<App extends Pick<ClientApp, 'onRequest'>>(app: App): App
  /**
   * Releases what has not been released: everything is killed.
   *
   * @param sessionId only those of this session
   */
  close(sessionId?: string): Promise<void>
}

interface Terminal {
  sessionId: string
  /** Bytes. */
  limit: number | undefined
}

const left = ['calls', 'backgroundAfter', 'saveOutput', 'errorLines', 'maxOutputChars']
const toolOptions = bashOptionNames.filter((name) => !left.includes(name))
const optionNames = ['workingDir', 'sandbox', 'maxTerminals', ...toolOptions]

const invalidParams = -32602
const internalError = -32603
const resourceNotFound = -32002

/** @returns the function `acpTerminals` of `bashward/acp` */
export function bindAcpTerminals(ErrorClass: typeof RequestError) {
  const refuse = (code: number, message: string, errorCode?: string): RequestError =>
    new ErrorClass(code, message, errorCode === undefined ? undefined : { code: errorCode })

  /** What fails otherwise is named as it is. */
  const asRequestError = (error: unknown): unknown => {
    if (!(error instanceof BashError)) return error
    const { code, message } = error
    if (code === 'ERR_JOB_NOT_FOUND') return refuse(resourceNotFound, message, code)
    return refuse(code === 'ERR_INVALID_INPUT' ? invalidParams : internalError, message, code)
  }

  /**
   * Terminals for the agents of an ACP client: announce `clientCapabilities: { terminal: true }`, and `register(app)`.
   *
   * @throws {BashError} ERR_INVALID_INPUT
   */
  return function acpTerminals(given: AcpTerminalsOptions): AcpTerminals {
    const checked = checkObject('options', given, optionNames) as unknown as AcpTerminalsOptions
    const { workingDir, sandbox: asked, maxTerminals: most = 100, workspace: changes, ...options } = checked
    checkAbsolutePath('options.workingDir', workingDir)
    checkInteger('options.maxTerminals', most, [1, 10_000])
    const { sandbox, workspace } = policiesFrom(workingDir, asked, changes)
    const { env, redact, jobs = new JobStore() } = options
    const toolWith = (set: NodeJS.Dict<string>): BashTool =>
      createBashTool({ ...options, workspace, jobs, env: { ...env, set: { ...env?.set, ...set } } })
    // What is wrong with the options is told now, and not to an agent.
    const plain = toolWith({})
    const terminals = new Map<string, Terminal>()
    /** Those that have no id yet. */
    const starting = new Map<AbortController, string>()
    const reading = { redact: redactOfJobs(checkRedact('redact', redact), env) }

    function find({ terminalId, sessionId }: { terminalId: string; sessionId: string }): Terminal {
      const terminal = terminals.get(terminalId)
      if (terminal?.sessionId === sessionId) return terminal
      throw refuse(resourceNotFound, `This session has no terminal ${JSON.stringify(terminalId)}`)
    }

    async function killJob(id: string): Promise<void> {
      await jobs.kill(id).catch((error: unknown) => {
        // Cleaned up by now: it had ended.
        if ((error as BashError).code !== 'ERR_JOB_NOT_FOUND') throw error
      })
    }

    const handlers = {
      async create({ params, signal }: Request<CreateTerminalRequest>) {
        const { sessionId, command, args, env: variables = [], cwd, outputByteLimit } = params
        if (cwd != null) checkAbsolutePath('cwd', cwd)
        if (outputByteLimit != null)
          checkInteger('outputByteLimit', outputByteLimit, [0, Number.MAX_SAFE_INTEGER])
        const open = terminals.size + starting.size
        if (open >= most)
          throw refuse(internalError, `${open} of ${most} terminals are open: release one first`)
        const set = Object.fromEntries(variables.map(({ name, value }) => [name, value]))
        const tool = variables.length === 0 ? plain : toolWith(set)
        const closing = new AbortController()
        const stopListening = onAbort(signal, () => closing.abort())
        starting.set(closing, sessionId)
        try {
          const result = await tool.execute(
            { command: commandLine(command, args), mode: 'background' },
            { workingDir: cwd ?? workingDir, sandbox, conversationId: sessionId, cancel: closing.signal },
          )
          const { status, jobId, error } = result
          if (status !== 'background' || jobId === undefined) {
            const code = status === 'invalid' ? invalidParams : internalError
            throw refuse(code, tool.toText(result).trim(), error?.code)
          }
          terminals.set(jobId, { sessionId, limit: outputByteLimit ?? undefined })
          return { terminalId: jobId }
        } finally {
          starting.delete(closing)
          stopListening()
        }
      },

      async output({ params }: Request<TerminalOutputRequest>) {
        return await readTerminal(jobs, params.terminalId, find(params).limit, reading)
      },

      async waitForExit({ params, signal }: Request<WaitForTerminalExitRequest>) {
        find(params)
        const { status, exitCode, signal: endedBy, problem } = await jobs.wait(params.terminalId, { signal })
        if (status === 'lost')
          throw refuse(internalError, `How it ended is not known: ${problem}`, 'ERR_SUPERVISOR_LOST')
        return { exitCode, signal: endedBy }
      },

      async kill({ params }: Request<KillTerminalRequest>) {
        find(params)
        await killJob(params.terminalId)
        return {}
      },

      async release({ params }: Request<ReleaseTerminalRequest>) {
        find(params)
        // Before it is killed: two releases at once are one too many.
        terminals.delete(params.terminalId)
        await killJob(params.terminalId)
        return {}
      },
    }
    const guarded = <Params, Response>(handler: (request: Request<Params>) => Promise<Response>) => {
      return (request: Request<Params>): Promise<Response> =>
        handler(request).catch((error: unknown) => {
          throw asRequestError(error)
        })
    }
    const create = guarded(handlers.create)
    const output = guarded(handlers.output)
    const waitForExit = guarded(handlers.waitForExit)
    const kill = guarded(handlers.kill)
    const release = guarded(handlers.release)
    return {
      ...{ create, output, waitForExit, kill, release },
      register(app) {
        app.onRequest('terminal/create', create)
        app.onRequest('terminal/output', output)
        app.onRequest('terminal/wait_for_exit', waitForExit)
        app.onRequest('terminal/kill', kill)
        app.onRequest('terminal/release', release)
        return app
      },
      async close(sessionId) {
        const isClosed = (of: string) => sessionId === undefined || of === sessionId
        for (const [closing, of] of starting) if (isClosed(of)) closing.abort()
        const open = [...terminals].filter(([, terminal]) => isClosed(terminal.sessionId)).map(([id]) => id)
        for (const id of open) terminals.delete(id)
        await Promise.all(open.map(killJob))
      },
    }
  }
}

/** A line for bash; with arguments, a program and what it is given, word for word. */
function commandLine(command: string, args: readonly string[] | undefined): string {
  return args === undefined || args.length === 0 ? command : [command, ...args].map(quote).join(' ')
}
