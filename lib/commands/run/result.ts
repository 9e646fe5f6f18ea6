// The data model of one command: what it did, what it used, what it left behind.

import type { Match } from '../../guard/safety/verdict.js'
import type { ReachedLimit, SandboxFindings } from '../../guard/sandbox/findings.js'
import type { SandboxName, SandboxPolicy } from '../../guard/sandbox/policy.js'
import type { Judgement } from '../../guard/verdicts/judgement.js'
import type { Usage } from '../../processes/engine/completion.js'
import type { WaitingFor } from '../../terminals/explain/waiting-for.js'
import type { SecretAnswer } from '../../terminals/terminal/ask-person.js'
import type { ShownScreen, TerminalReport } from '../../terminals/terminal/report.js'
import type { ListeningSocket } from '../jobs/listening/socket.js'

/** A process that the command left running. */
export interface Survivor {
  pid: number
  /** Its command line, cut at 200 characters. */
  command: string
  /** Whether it left the command's session and closed its output: a daemon by its own choice. */
  daemon: boolean
}

/**
 * - `completed`: exit code 0, and nothing else
 * - `failed`: another exit code, or ended by a signal
 * - `timed_out`, `cancelled`: killed by us, with everything it had started
 * - `rejected`: a safety rule refused it; it never ran
 * - `background`: started as a job
 * - `invalid`: the input is wrong
 * - `error`: the system failed, not the command
 */
export type BashStatus =
  | 'completed'
  | 'failed'
  | 'timed_out'
  | 'cancelled'
  | 'rejected'
  | 'background'
  | 'invalid'
  | 'error'

export interface BashResult extends SandboxFindings, ReachedLimit {
  status: BashStatus
  /** The command as it was given. */
  command: string
  /**
   * What is to be known of its characters, for the model: that ends of lines or a byte order mark were left out before it
   * ran, or, if it failed, which spaces in it are none to bash. Not of `run()`.
   */
  commandNotes?: string[]
  /** The command as a user interface should show it. */
  display: string
  /** What it printed: decoded, bounded, without status lines. */
  output: string
  /** Exit code 0…255; null when it was ended by a signal or did not run to its end. */
  exitCode: number | null
  /**
   * Of a tool's command that failed with 1 where that is an answer: no line or process matched, files differ, a condition
   * is false. Only where the command's text proves whose status it is.
   */
  answer?: 'no-match' | 'differs' | 'false'
  /** Which program says what, such as `'grep: no line matched'`. */
  answerText?: string
  /** The signal that ended it, such as `'SIGSEGV'`. */
  signal: string | null
  /** From the call to its result, milliseconds. */
  durationMs: number
  /** Bytes that the command printed, also those that `output` does not hold. */
  outputBytes: number
  /** Whether `output` holds less than the command printed. */
  truncated: boolean
  /** Whether what was kept of the output contains NUL bytes or is not UTF-8. What was cut out is not looked at. */
  binary: boolean
  /**
   * Of such output, what texts show: `output` in the place of `output`, where it is UTF-16 or mostly binary, and a `note`
   * on what it is, where that can be told.
   */
  readable?: { output?: string; note: string }
  /** The file that holds the whole output, when asked for and truncated. Deleting it is up to the caller. */
  savedOutput?: string
  /** Bytes in that file: fewer than `outputBytes` when there was more than was allowed. */
  savedOutputBytes?: number
  /** Why that file is missing or incomplete. */
  savedOutputError?: string
  /** Process id of bash, when the command left processes running. */
  pid?: number
  /** Its process group: `kill -- -PGID` reaches those that stayed in it. */
  pgid?: number
  jobId?: string
  outputFile?: string
  /** Of a command that has not finished: it goes on as that job since so many milliseconds, see `backgroundAfter`. */
  backgroundAfterMs?: number
  /** Why it did not go on as a job at that time, but here. */
  backgroundError?: string
  /** Of a tool's call, where that job listens on TCP; none: nowhere yet. */
  listening?: readonly ListeningSocket[]
  /** What the command was confined by; `'custom'`: a policy of the caller's own. */
  sandbox: SandboxName
  /** The protections that were in force. */
  enforced: string[]
  /** The timeout that ended the command, milliseconds. */
  timeoutMs?: number
  /**
   * Of a command that timed out: what its processes were waiting for, or doing, shortly before. What explains most comes
   * first; empty where that could not be found out in time. Not with a timeout below two seconds.
   */
  waitingFor?: WaitingFor[]
  /** Why the session is as it was before a call that ran to its end, or that a limit or its timeout ended. */
  sessionUnsaved?: string
  /** Of a call that was sent again, or waited for: what it gave when it ran. */
  replayed?: true
  /** Of such a call: what it printed was not kept. */
  outputLost?: true
  survivors: Survivor[]
  /** Null when the command did not run. */
  usage: Usage | null
  /** Why the command did not get what start-up files set, although `env.login` asks for it: it got the host's environment. */
  loginError?: string
  /** Names of the environment variables that were withheld from the command. */
  removedEnv: string[]
  /** How often the value of each of these was taken out of what the command printed, as far as that was kept. */
  redacted?: Record<string, number>
  /**
   * The rule that refused the command, and what of it; `error` says why, and what to do instead. `'needs-approval'`: it asks,
   * and nobody has approved it. `'not-approved'`: a person has denied it, or the client that was to ask one.
   */
  rejection?: {
    rule: string
    match: Match
    /** Of `'needs-approval'`: why nobody has approved it. */
    why?: string
  }
  /** What a tool with `verdicts` has decided about the command. */
  judgement?: Judgement
  /** It was allowed because it only reads, and so ran confined: `sandbox` says how, not what the conversation asks for. */
  readConfined?: true
  /** What a person has granted besides, one after the other: the command ran again after that. This is its last run. */
  granted?: Partial<SandboxPolicy>[]
  /** Of a command that runs in a terminal, with `tty` of the suite's Bash: how that is. None when it has ended. */
  state?: TerminalReport
  /** Of such a command: the screen that `output` shows. None: `output` has what was printed. */
  screen?: ShownScreen
  /** Of such a command: why there is no screen where one is needed. */
  screenError?: string
  /** Of such a command: what has become of questions to a person for secrets. */
  secretAnswers?: SecretAnswer[]
  /** Of such a command: the `offset` of BashOutput that goes on behind the output. */
  nextOffset?: number
  /**
   * Of a call with a `conversationId`: sentences about its background jobs that have ended since the last result, each told
   * once. At most 20. Not of `run()`.
   */
  news?: string[]
  error?: { code: string; message: string }
}

/** `streams: 'separate'` adds the two streams; `output` is then stdout followed by stderr. */
export interface SeparateStreams {
  stdout: string
  stderr: string
  stdoutBytes: number
  stderrBytes: number
}

/** What a caller can follow while a command runs. */
export type BashEvent<Result = BashResult> =
  | { type: 'start'; command: string; display: string }
  | OutputEvent
  | { type: 'result'; result: Result }

/**
 * A piece of output: of 64 KiB of the command's bytes at most, and not more often than every 50 ms, or a little more when
 * an unfinished line is shown. A live view, not a record:
 * what came faster is skipped, and `dropped` counts the bytes skipped just before this piece.
 */
export interface OutputEvent {
  type: 'output'
  /** `'output'` when both streams are merged. */
  stream: 'output' | 'stdout' | 'stderr'
  text: string
  dropped: number
}

/** What is the same in every result of a command, whatever became of it. */
export function blankResult(
  command: string,
  status: BashStatus,
  sandbox: SandboxName = 'unrestricted',
): BashResult {
  return {
    status,
    command,
    display: command,
    output: '',
    exitCode: null,
    signal: null,
    durationMs: 0,
    outputBytes: 0,
    truncated: false,
    binary: false,
    sandbox,
    enforced: [],
    survivors: [],
    usage: null,
    removedEnv: [],
  }
}

/** Milliseconds since a value of `performance.now()`, with three decimals: the clock promises no more. */
export function elapsedMs(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 1000) / 1000
}
