// The commands of a session. One that still runs when its call is to return goes on as a background job, which the model
// knows by a number.

import { basename } from 'node:path'
import type { ExecCommandArgs, SandboxExecResult, WriteStdinArgs } from '@openai/agents/sandbox'
import { currentEngine } from '../../engine/choose.js'
import { checkRedact, redactOfJobs } from '../../environment/redact-option.js'
import type { BashError } from '../../errors.js'
import type { JobOutput } from '../../jobs/read.js'
import { JobStore } from '../../jobs/store.js'
import { exitStatusOf, signalStatus } from '../../run/exit-status.js'
import type { BashResult } from '../../run/result.js'
import { joinLines, resultBody } from '../../tools/bash-text.js'
import type { BashTool } from '../../tools/bash-tool.js'
import { quote } from '../../util/bash-quotes.js'
import { onAbort } from '../../util/listeners.js'
import { jobNotes } from '../job-notes.js'
import { type Confinement, toolWith } from './confinement.js'
import { WorkspaceNames } from './names.js'
import type { CheckedOptions } from './options.js'
import { charsFor, tokensOf, withinTokens } from './response.js'
import type { Sdk } from './sdk.js'
import type { GoingOn, OpenaiSandboxState } from './state.js'

const defaultYieldMs = 10_000
const defaultPollMs = 250
/** What a model sends to end a command: Ctrl-C. */
const interrupt = '\u0003'
const mostJobChars = 10_000_000
const defaultJobChars = 30_000

type Told = Omit<SandboxExecResult, 'stdout' | 'stderr'>

interface Parts {
  sdk: Sdk['sandbox']
  options: CheckedOptions
  state: OpenaiSandboxState
}

export class Commands {
  readonly #parts: Parts
  readonly #jobs: JobStore
  readonly #running = new Set<Promise<unknown>>()
  #stopping = new AbortController()
  /** A number is not given again while the host lives. */
  #lastNumber = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.#jobs = parts.options.tool.jobs ?? new JobStore()
  }

  /** Whether a command can go on after its call: not with the portable engine. */
  static get canGoOn(): boolean {
    return currentEngine().name === 'native'
  }

  /** @param directory where the command runs */
  async exec(args: ExecCommandArgs, directory: string, confinement: Confinement): Promise<SandboxExecResult> {
    const { options, state, sdk } = this.#parts
    if (args.tty === true) {
      throw new sdk.SandboxUnsupportedFeatureError(
        'tty: must be false: commands get no terminal. Leave it out; what runs on can be read and ended with write_stdin all the same',
        { feature: 'tty' },
      )
    }
    const since = performance.now()
    const chars = charsFor(args.maxOutputTokens)
    const tool = toolWith(
      {
        ...options.tool,
        ...(chars !== undefined && { maxOutputChars: chars }),
        ...(Commands.canGoOn && { backgroundAfter: yieldMs(args.yieldTimeMs, defaultYieldMs) }),
        ...(confinement.policies.workspace !== undefined && { workspace: confinement.policies.workspace }),
      },
      state.environment,
    )
    const call = this.#call(
      tool,
      commandLine({ ...args, cmd: this.#names.command(args.cmd) }),
      directory,
      confinement,
    )
    this.#running.add(call)
    const result = await call.finally(() => this.#running.delete(call))
    if (result.status === 'error' || result.status === 'invalid') throw this.#failure(result)
    if (result.backgroundAfterMs !== undefined && result.jobId !== undefined) {
      const sessionId = this.#number({ jobId: result.jobId, offset: 0 })
      return withStreams(await this.#read(sessionId, args.maxOutputTokens, since))
    }
    const output = withinTokens(this.#names.output(textOf(tool, result)), args.maxOutputTokens)
    return withStreams({
      output,
      wallTimeSeconds: secondsSince(since),
      exitCode: exitStatusOf(result),
      ...(result.truncated && { originalTokenCount: tokensOf(result.outputBytes) }),
    })
  }

  /** @returns undefined for a session that there is not */
  async poll({
    sessionId,
    chars = '',
    yieldTimeMs,
    maxOutputTokens,
  }: WriteStdinArgs): Promise<Told | undefined> {
    if (chars !== '' && chars !== interrupt) {
      throw new this.#parts.sdk.SandboxUnsupportedFeatureError(
        'chars: must be empty, to read what the command has printed, or "\\u0003", to end it: commands have no terminal and get no input',
        { feature: 'chars' },
      )
    }
    const since = performance.now()
    const command = this.#parts.state.commands[sessionId]
    if (command === undefined || !(await this.#isOwn(command.jobId))) {
      delete this.#parts.state.commands[sessionId]
      return undefined
    }
    if (chars === interrupt) await this.#jobs.kill(command.jobId)
    else await this.#jobs.wait(command.jobId, { timeoutMs: yieldMs(yieldTimeMs, defaultPollMs) })
    return await this.#read(sessionId, maxOutputTokens, since)
  }

  /** Kills all commands, with everything they have started. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#stopping = new AbortController()
    await Promise.allSettled(this.#running)
    const { conversationId } = this.#parts.state
    const running = (await this.#jobs.list({ conversationId })).filter(({ status }) => status === 'running')
    await Promise.all(running.map(({ id }) => this.#jobs.kill(id)))
    this.#parts.state.commands = {}
  }

  async #call(
    tool: BashTool,
    command: string,
    workingDir: string,
    { policies }: Confinement,
  ): Promise<BashResult> {
    const { options, state } = this.#parts
    const cancel = new AbortController()
    const releases = [options.cancel, this.#stopping.signal].map((signal) =>
      onAbort(signal, () => cancel.abort()),
    )
    const { sandbox } = policies
    const context = { workingDir, sandbox, conversationId: state.conversationId, cancel: cancel.signal }
    try {
      return await tool.execute({ command }, context)
    } finally {
      for (const release of releases) release()
    }
  }

  /** What it has printed since it was last told. One that has ended is known no longer. */
  async #read(sessionId: number, maxOutputTokens: number | undefined, since: number): Promise<Told> {
    const { commands } = this.#parts.state
    const command = commands[sessionId] as GoingOn
    const maxChars = Math.min(charsFor(maxOutputTokens) ?? this.#defaultChars(), mostJobChars)
    const { redact, env, normalizeOutput } = this.#parts.options.tool
    const read = await this.#jobs.read(command.jobId, {
      offset: command.offset,
      maxChars,
      redact: redactOfJobs(checkRedact('redact', redact), env),
      ...(normalizeOutput !== undefined && { normalizeOutput }),
    })
    const bytes = read.nextOffset - command.offset
    const isRunning = read.status === 'running'
    if (isRunning) command.offset = read.nextOffset
    else delete commands[sessionId]
    return {
      output: withinTokens(this.#names.output(joinLines(read.output, ...jobNotes(read))), maxOutputTokens),
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
  async #isOwn(jobId: string): Promise<boolean> {
    try {
      const { record } = await this.#jobs.get(jobId)
      return record?.conversationId === this.#parts.state.conversationId
    } catch (error) {
      if ((error as BashError).code === 'ERR_JOB_NOT_FOUND') return false
      throw error
    }
  }

  #failure({ status, error }: BashResult): Error {
    const { code, message } = error ?? { code: 'ERR_INTERNAL', message: status }
    const { SandboxProviderError } = this.#parts.sdk
    return new SandboxProviderError(this.#names.output(message), { provider: 'bashward', code })
  }
}

const yieldMs = (given: number | undefined, byDefault: number): number =>
  Math.min(Math.max(Math.ceil(given ?? byDefault), 1), 86_400_000)

const secondsSince = (since: number): number => (performance.now() - since) / 1000

/** Both streams go into one pipe, which keeps their order. */
const withStreams = (told: Told): SandboxExecResult => ({ ...told, stdout: told.output, stderr: '' })

/** A model may ask for another shell than bash, whose login environment is an option of the host's. */
function commandLine({ cmd, shell, login }: ExecCommandArgs): string {
  if (shell === undefined || shell === '' || basename(shell) === 'bash') return cmd
  return `exec ${quote(shell)} ${login === false ? '-c' : '-lc'} ${quote(cmd)}`
}

/** The exit code says how most end; of others the tool's own words. */
function textOf(tool: BashTool, result: BashResult): string {
  const { status, exitCode, limit } = result
  const isPlain = status === 'completed' || (status === 'failed' && exitCode !== null && limit === undefined)
  return isPlain ? resultBody(result) : tool.toText(result)
}

function exitCodeOf({ status, exitCode, signal }: JobOutput): number {
  if (status === 'timed_out') return exitStatusOf({ status, exitCode, signal })
  return (
    exitCode ?? (signal === null ? exitStatusOf({ status: 'error', exitCode, signal }) : signalStatus(signal))
  )
}
