// The log of commands: what ran, how it ended, how much it printed; never what it printed, never the environment.
// A host that wants it subscribes to a diagnostics channel; bashward itself writes no log.

import { channel } from 'node:diagnostics_channel'
import { crypto } from '../../base/util/lazy.js'
import type { BashResult, BashStatus, SeparateStreams } from '../../commands/run/result.js'
import type { Denial } from '../../guard/sandbox/denials.js'
import { type SandboxName, type SandboxPolicy, sandboxModes } from '../../guard/sandbox/policy.js'
import type { Decision } from '../../guard/verdicts/judgement.js'

/** The channel of `node:diagnostics_channel` that every {@link CommandLogEvent} is published on. */
export const commandLogChannel = 'bashward:command'

/**
 * Of each call one `start`, and then one `end` or `error` with the same `id`:
 * `subscribe('bashward:command', (message) => { const event = message as CommandLogEvent … })`.
 * Source: REQ-EXEC-007 (docs/requirements.md).
 */
export type CommandLogEvent = CommandStartEvent | CommandEndEvent | CommandErrorEvent

/** What is the same in all events of a call. */
export interface CommandLogCall {
  /** The tool's name. */
  tool: string
  /** Unique for each call, also among several processes. */
  id: string
  /** The command as it was given; empty when the input has none. */
  command: string
  /**
   * The command as a user interface should show it. In the `start` of a call with a session, and where it does not run,
   * as it was given: the directory of a session is known when its turn has come.
   */
  display: string
  conversationId?: string
  toolCallId?: string
  sandbox: SandboxName
  /** As the context gives it. Absent: the process's own directory. */
  workingDir?: string
}

/** A call has come in. */
export interface CommandStartEvent extends CommandLogCall {
  type: 'start'
}

/** The command has run, whatever became of it, or runs as a job now. */
export interface CommandEndEvent extends CommandLogCall, CommandLogOutcome {
  type: 'end'
}

/** The command was refused, or the system failed: before it could start, or while it ran. */
export interface CommandErrorEvent extends CommandLogCall, CommandLogOutcome {
  type: 'error'
  /** The code is ERR_COMMAND_REJECTED for a command that a safety rule has refused. */
  error?: { code: string; message: string }
}

export interface CommandLogOutcome {
  status: BashStatus
  /** Exit code 0…255; null when it was ended by a signal or did not run to its end. */
  exitCode: number | null
  /** The signal that ended it, such as `'SIGSEGV'`. */
  signal: string | null
  /** Milliseconds; 0 when it did not start. */
  durationMs: number
  /** Bytes that it printed. */
  outputBytes: number
  /** The same by stream, where they are captured separately. */
  stdoutBytes?: number
  stderrBytes?: number
  /** Whether the result holds less than it printed. */
  truncated: boolean
  /** What a tool with `verdicts` has decided about it. */
  decision?: Decision
  /** What a person has granted besides, before it ran again. */
  granted?: Partial<SandboxPolicy>[]
  /** The job that it, or what it left running, has become. */
  jobId?: string
  /** Why it did not get what start-up files set. */
  loginError?: string
  /** What the sandbox refused: targets are of the command's choosing, and can stand in what it printed. */
  denials?: Denial[]
  /** Further ones. */
  denialsDropped?: number
  /** Watched paths that the command has changed. */
  protectedChanged?: string[]
  /** Others that may have changed. */
  protectedDropped?: number
}

export interface CommandLog {
  /** Publishes how the call ended. To be called once. */
  end(result: BashResult & Partial<SeparateStreams>): void
}

// Kept for good: a channel that nobody refers to is collected.
const log = channel(commandLogChannel)

const unheard: CommandLog = { end() {} }

const errorStatuses: ReadonlySet<BashStatus> = new Set(['invalid', 'rejected', 'error'])

/**
 * Publishes that a call begins. Costs next to nothing when nobody is subscribed; who subscribes later hears of the
 * calls that begin later. An exception of a subscriber becomes an uncaught exception of the program
 * (`Channel.publish` of node:diagnostics_channel) and does the command no harm.
 *
 * @param context the call's context as it was received; fields that cannot be used are left out
 * @param display shows a command that has not run yet; called only when somebody is subscribed
 */
export function commandLog(
  tool: string,
  command: string,
  context: unknown,
  display: (command: string) => string = (whole) => whole,
): CommandLog {
  if (!log.hasSubscribers) return unheard
  const conversationId = textOf(context, 'conversationId')
  const toolCallId = textOf(context, 'toolCallId')
  const workingDir = textOf(context, 'workingDir')
  const call: CommandLogCall = {
    tool,
    id: crypto().randomUUID(),
    command,
    display: display(command),
    sandbox: sandboxOf(context),
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(workingDir === undefined ? {} : { workingDir }),
  }
  publish({ type: 'start', ...call })
  return {
    end(result) {
      const { display, error } = result
      const outcome = { ...call, display, ...outcomeOf(result) }
      if (!errorStatuses.has(result.status)) publish({ type: 'end', ...outcome })
      else publish({ type: 'error', ...outcome, ...(error === undefined ? {} : { error: { ...error } }) })
    },
  }
}

function publish(event: CommandLogEvent): void {
  log.publish(event)
}

/** Names each field: a result holds output too. */
function outcomeOf(result: BashResult & Partial<SeparateStreams>): CommandLogOutcome {
  const { status, exitCode, signal, durationMs, outputBytes, stdoutBytes, stderrBytes, truncated, jobId } =
    result
  const { judgement, granted, loginError, denials, denialsDropped, protectedChanged, protectedDropped } =
    result
  return {
    status,
    exitCode,
    signal,
    durationMs,
    outputBytes,
    ...(stdoutBytes === undefined ? {} : { stdoutBytes }),
    ...(stderrBytes === undefined ? {} : { stderrBytes }),
    truncated,
    ...(judgement === undefined ? {} : { decision: judgement.decision }),
    ...(granted === undefined ? {} : { granted: structuredClone(granted) }),
    ...(jobId === undefined ? {} : { jobId }),
    ...(loginError === undefined ? {} : { loginError }),
    ...(denials === undefined ? {} : { denials: structuredClone(denials) }),
    ...(denialsDropped === undefined ? {} : { denialsDropped }),
    ...(protectedChanged === undefined ? {} : { protectedChanged: [...protectedChanged] }),
    ...(protectedDropped === undefined ? {} : { protectedDropped }),
  }
}

/** The mode that a context asks for. */
export function sandboxOf(context: unknown): SandboxName {
  const asked = fieldOf(context, 'sandbox')
  if (typeof asked === 'object' && asked !== null) return 'custom'
  return sandboxModes.find((mode) => mode === asked) ?? 'unrestricted'
}

/** A text field of an input or a context that has not been checked: it may be anything, and reading it may throw. */
export function textOf(unchecked: unknown, name: string): string | undefined {
  const value = fieldOf(unchecked, name)
  return typeof value === 'string' ? value : undefined
}

function fieldOf(unchecked: unknown, name: string): unknown {
  try {
    return (unchecked as Record<string, unknown> | null | undefined)?.[name]
  } catch {
    return undefined
  }
}
