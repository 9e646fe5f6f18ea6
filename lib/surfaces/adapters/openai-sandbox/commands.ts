// The commands of a session. One that still runs when its call is to return goes on as a background job, which the model
// knows by a number.

import type { ExecCommandArgs, SandboxExecResult, WriteStdinArgs } from '@openai/agents/sandbox'
import type { BashError } from '../../../base/errors.js'
import { onAbort } from '../../../base/util/listeners.js'
import type { Job } from '../../../commands/jobs/job.js'
import { JobStore } from '../../../commands/jobs/store.js'
import { exitStatusOf } from '../../../commands/run/exit-status.js'
import type { BashResult } from '../../../commands/run/result.js'
import { currentEngine } from '../../../processes/engine/choose.js'
import { checkRedact, redactOfJobs } from '../../../processes/environment/redact-option.js'
import { withoutImitations } from '../../../processes/output/notices.js'
import type { TerminalState } from '../../../terminals/terminal/state.js'
import { joinLines, shownOutput } from '../../../tools/bash-text.js'
import type { BashTool } from '../../../tools/bash-tool.js'
import type { TerminalTool } from '../../../tools/terminal-tool.js'
import type { ToolContext } from '../../../tools/types.js'
import { jobNotes } from '../job-notes.js'
import { commandLine } from './command-line.js'
import { type Confinement, terminalToolWith, toolWith } from './confinement.js'
import { WorkspaceNames } from './names.js'
import type { CheckedOptions } from './options.js'
import { charsFor, exitCodeOf, textOf, tokensOf, withinTokens } from './response.js'
import type { Sdk } from './sdk.js'
import type { GoingOn, OpenaiSandboxState } from './state.js'
import { Terminals } from './terminals.js'

const defaultYieldMs = 10_000
const defaultPollMs = 250
/** What a model sends to end a command: Ctrl-C. */
const interrupt = '\u0003'
const mostJobChars = 10_000_000
const defaultJobChars = 30_000

type Told = Omit<SandboxExecResult, 'stdout' | 'stderr'>

/** What is used of a tool: it may be one whose commands have a terminal. */
type CommandTool = Pick<BashTool, 'execute' | 'toText'>

interface Reading {
  sessionId: number
  command: GoingOn
  maxOutputTokens: number | undefined
  /** As `performance.now()` counts. */
  since: number
  /** Whether it has a terminal, and how that is; undefined: it has ended. */
  tty?: boolean
  terminal?: TerminalState | undefined
}

interface Parts {
  sdk: Sdk['sandbox']
  options: CheckedOptions
  state: OpenaiSandboxState
}

export class Commands {
  readonly #parts: Parts
  readonly #jobs: JobStore
  readonly #terminals: Terminals
  readonly #running = new Set<Promise<unknown>>()
  #stopping = new AbortController()
  /** A number is not given again while the host lives. */
  #lastNumber = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.#jobs = parts.options.tool.jobs ?? new JobStore()
    this.#terminals = new Terminals(this.#jobs)
  }

  /** Whether a command can go on after its call: not with the portable engine. */
  static get canGoOn(): boolean {
    return currentEngine().name === 'native'
  }

  /** @param directory where the command runs */
  async exec(args: ExecCommandArgs, directory: string, confinement: Confinement): Promise<SandboxExecResult> {
    const since = performance.now()
    const { tty = false, maxOutputTokens, yieldTimeMs } = args
    const tool = tty ? this.#terminalTool(confinement) : this.#plainTool(args, confinement)
    const line = commandLine({ ...args, cmd: this.#names.command(args.cmd) })
    const call = this.#call(tool, line, directory, confinement)
    this.#running.add(call)
    const result = await call.finally(() => this.#running.delete(call))
    const { status, jobId } = result
    if (status === 'error' || status === 'invalid') throw this.#failure(result)
    if (status === 'background' && jobId !== undefined) {
      const command = { jobId, offset: 0 }
      const sessionId = this.#number(command)
      const waitMs = yieldMs(yieldTimeMs, defaultYieldMs)
      const terminal = tty ? await this.#terminals.settle(jobId, waitMs, false) : undefined
      return withStreams(await this.#read({ sessionId, command, maxOutputTokens, since, tty, terminal }))
    }
    const output = withinTokens(this.#names.output(textOf(tool, result)), maxOutputTokens)
    return withStreams({
      output,
      wallTimeSeconds: secondsSince(since),
      exitCode: exitStatusOf(result),
      ...(result.truncated && { originalTokenCount: tokensOf(result.outputBytes) }),
    })
  }

  /** @returns undefined for a session that there is not */
  async poll(
    { sessionId, chars = '', yieldTimeMs, maxOutputTokens }: WriteStdinArgs,
    confinement: Confinement,
  ): Promise<Told | undefined> {
    const since = performance.now()
    const command = this.#parts.state.commands[sessionId]
    const job = command && (await this.#own(command.jobId))
    if (command === undefined || job === undefined) {
      delete this.#parts.state.commands[sessionId]
      return undefined
    }
    const { jobId } = command
    const reading = { sessionId, command, maxOutputTokens, since }
    const timeoutMs = yieldMs(yieldTimeMs, defaultPollMs)
    if (job.record?.terminal !== undefined) {
      const terminal =
        chars === ''
          ? await this.#terminals.settle(jobId, timeoutMs, true)
          : await this.#type(jobId, chars, timeoutMs, confinement)
      return await this.#read({ ...reading, tty: true, terminal })
    }
    if (chars !== '' && chars !== interrupt) {
      throw this.#unsupported(
        'chars',
        'must be empty, to read what the command has printed, or "\\u0003", to end it: it has no terminal and gets no input. Start what asks with tty',
      )
    }
    if (chars === interrupt) await this.#jobs.kill(jobId)
    else await this.#jobs.wait(jobId, { timeoutMs })
    return await this.#read(reading)
  }

  #plainTool({ maxOutputTokens, yieldTimeMs }: ExecCommandArgs, confinement: Confinement): BashTool {
    const { options, state } = this.#parts
    const chars = charsFor(maxOutputTokens)
    return toolWith(
      {
        ...confinedOptions(options, confinement),
        ...(chars !== undefined && { maxOutputChars: chars }),
        ...(Commands.canGoOn && { backgroundAfter: yieldMs(yieldTimeMs, defaultYieldMs) }),
      },
      state.environment,
    )
  }

  async #type(jobId: string, chars: string, timeoutMs: number, confinement: Confinement) {
    const tool = this.#terminalTool(confinement)
    const { workspaceRootPath: workingDir } = this.#parts.state
    return await this.#cancelable(confinement, workingDir, (context) =>
      this.#terminals.type(jobId, chars, timeoutMs, (job, terminal, typing) =>
        tool.permit(job, terminal, typing, context),
      ),
    )
  }

  #terminalTool(confinement: Confinement): TerminalTool {
    const { options, state } = this.#parts
    if (!Commands.canGoOn) {
      throw this.#unsupported('tty', 'must be false: the portable engine has no terminals')
    }
    return terminalToolWith(confinedOptions(options, confinement), state.environment)
  }

  #unsupported(feature: string, why: string): Error {
    const { SandboxUnsupportedFeatureError } = this.#parts.sdk
    return new SandboxUnsupportedFeatureError(`${feature}: ${why}`, { feature })
  }

  /** Kills all commands, with everything they have started. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#stopping = new AbortController()
    await Promise.allSettled(this.#running)
    const { conversationId } = this.#parts.state
    const running = (await this.#jobs.list({ conversationId })).filter(({ status }) => status === 'running')
    await Promise.all(running.map(({ id }) => this.#jobs.kill(id)))
    this.#terminals.close()
    this.#parts.state.commands = {}
  }

  async #call(
    tool: CommandTool,
    command: string,
    workingDir: string,
    confinement: Confinement,
  ): Promise<BashResult> {
    const run = (context: ToolContext) => tool.execute({ command }, context)
    // The SDK's own code reads results, too; each command that goes on has a session that tells its end.
    const { news: _, ...result } = await this.#cancelable(confinement, workingDir, run)
    return result
  }

  /** A context whose signal is aborted with that of the host, and when the session stops. */
  async #cancelable<Result>(
    { policies: { sandbox } }: Confinement,
    workingDir: string,
    act: (context: ToolContext) => Promise<Result>,
  ): Promise<Result> {
    const { options, state } = this.#parts
    const cancel = new AbortController()
    const releases = [options.cancel, this.#stopping.signal].map((signal) =>
      onAbort(signal, () => cancel.abort()),
    )
    try {
      return await act({
        workingDir,
        sandbox,
        conversationId: state.conversationId,
        cancel: cancel.signal,
      })
    } finally {
      for (const release of releases) release()
    }
  }

  /** What it has printed since it was last told. One that has ended is known no longer. */
  async #read({ sessionId, command, maxOutputTokens, since, tty = false, terminal }: Reading): Promise<Told> {
    const { commands } = this.#parts.state
    const { jobId, offset } = command
    const maxChars = Math.min(charsFor(maxOutputTokens) ?? this.#defaultChars(), mostJobChars)
    const { redact, env, normalizeOutput = tty ? true : undefined } = this.#parts.options.tool
    const redactJob = redactOfJobs(checkRedact('redact', redact), env)
    const read = await this.#jobs.read(jobId, {
      offset,
      maxChars,
      redact: redactJob,
      ...(normalizeOutput !== undefined && { normalizeOutput }),
    })
    const bytes = read.nextOffset - offset
    const isRunning = read.status === 'running'
    const text = withoutImitations(shownOutput(read), read.truncated)
    const isShown = tty && isRunning
    const shown = isShown
      ? await this.#terminals.show(jobId, { offset, text, maxChars, redact: redactJob, terminal })
      : text
    if (isRunning) command.offset = read.nextOffset
    else {
      delete commands[sessionId]
      this.#terminals.forget(jobId)
    }
    return {
      output: withinTokens(this.#names.output(joinLines(shown, ...jobNotes(read))), maxOutputTokens),
      wallTimeSeconds: secondsSince(since),
      ...(isRunning ? { sessionId } : { exitCode: exitCodeOf(read) }),
      ...(read.truncated && { originalTokenCount: tokensOf(bytes) }),
    }
  }

  get #names(): WorkspaceNames {
    const { manifest, workspaceRootPath } = this.#parts.state
    return new WorkspaceNames(manifest.root, workspaceRootPath)
  }

  #defaultChars(): number {
    return this.#parts.options.tool.maxOutputChars ?? defaultJobChars
  }

  #number(command: GoingOn): number {
    const { commands } = this.#parts.state
    const sessionId = Math.max(0, ...Object.keys(commands).map(Number), this.#lastNumber) + 1
    this.#lastNumber = sessionId
    commands[sessionId] = command
    return sessionId
  }

  /** A state that was serialized may name any job of this user. */
  async #own(jobId: string): Promise<Job | undefined> {
    try {
      const job = await this.#jobs.get(jobId)
      return job.record?.conversationId === this.#parts.state.conversationId ? job : undefined
    } catch (error) {
      if ((error as BashError).code === 'ERR_JOB_NOT_FOUND') return undefined
      throw error
    }
  }

  #failure({ status, error }: BashResult): Error {
    const { code, message } = error ?? { code: 'ERR_INTERNAL', message: status }
    const { SandboxProviderError } = this.#parts.sdk
    return new SandboxProviderError(this.#names.output(message), { provider: 'bashward', code })
  }
}

const confinedOptions = ({ tool }: CheckedOptions, { policies: { workspace } }: Confinement) => ({
  ...tool,
  ...(workspace !== undefined && { workspace }),
})

const yieldMs = (given: number | undefined, byDefault: number): number =>
  Math.min(Math.max(Math.ceil(given ?? byDefault), 1), 86_400_000)

const secondsSince = (since: number): number => (performance.now() - since) / 1000

/** Both streams go into one pipe, which keeps their order. */
const withStreams = (told: Told): SandboxExecResult => ({ ...told, stdout: told.output, stderr: '' })
