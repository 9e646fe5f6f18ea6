// What an engine does: starting and ending commands, and what else is the system's to tell; what it gets for a command,
// and what it reports of one. Nobody above needs to know which of the two engines runs.

import type { CapturedStream } from '../output/decode.js'
import type { Usage } from '../run/result.js'

export type EngineName = 'native' | 'portable'

export interface Engine {
  readonly name: EngineName

  /**
   * Starts a command and keeps the event loop alive until its completion.
   *
   * @returns an id for {@link cancel}
   * @throws {BashError} ERR_SPAWN when the engine itself cannot be started
   */
  start(
    request: CommandRequest,
    onCompletion: (completion: Completion) => void,
    onOutput?: OutputListener,
  ): number

  /** Kills a command and what it started. Nothing happens when it has ended already. */
  cancel(id: number): void

  /**
   * Signals a process that is known by its pid and start time (field 22 of /proc/PID/stat).
   *
   * @returns 0, or the errno; ESRCH when that process is gone, also when its pid belongs to another one by now; EXDEV when
   *   that cannot be told, since /proc is that of another PID namespace
   */
  signalProcess(pid: number, startTime: number, signal: number): number

  /**
   * Whether another process has a lock on a file (flock(2)).
   *
   * @returns undefined when this engine cannot tell, or the file is gone or out of reach; or why it cannot be told now
   */
  isLocked(path: string): boolean | undefined | { errno: number }

  /**
   * Locks a file, which is made if there is none, until this process ends or the lock is given back.
   *
   * @returns what gives it back; undefined when this engine has no such locks; or why it cannot be locked: EAGAIN when
   *   somebody else has locked it
   */
  lockFile(path: string): (() => void) | undefined | { errno: number }

  /**
   * Whether somebody, also this process, holds a lock as {@link lockFile} takes it, or the mark of a call.
   *
   * @returns undefined when this engine has no such locks, or there is no such file; or why it cannot be told now
   */
  isOwned(path: string): boolean | undefined | { errno: number }

  /** Closes a descriptor that {@link MarkPlan.onMade} was given. */
  release(descriptor: number): void

  /**
   * Tells of the end of a process that is no child of this one; the event loop does not stay alive for it.
   *
   * @returns what makes an end of that; undefined when this engine cannot tell, or there is no such process
   */
  awaitExit(pid: number, onExit: () => void): (() => void) | undefined

  /** Another number after each change of the process's environment. Main thread only. */
  environmentVersion(): number

  /** @throws {BashError} ERR_UNSUPPORTED_PLATFORM when this engine cannot protect the host */
  protectHost(): { environmentWiped: boolean; notDumpable: boolean }

  /** @throws {BashError} ERR_SANDBOX_UNAVAILABLE when this engine has no Restricted mode */
  sandboxSupport(): SandboxSupport

  /** Where other mounts show the same file or directory: absolute paths. @param path without symbolic links */
  otherNames(path: string): string[]

  /**
   * Whether each of these paths is the real name of a directory, by one question for all.
   *
   * @returns another text when the mounts, the user of this process or the owner of one have changed; empty when one is not
   *   its real name, or that cannot be told
   */
  stampOf(paths: readonly string[]): string

  /** True for the first call in this process, or at least in this thread. */
  claimSandboxWarning(): boolean
}

/** Bytes of a stream, and how many were left out before them. */
export type OutputListener = (stream: number, bytes: Buffer, dropped: number) => void

/** What the kernel has of the means of Restricted mode. */
export interface SandboxSupport {
  /** The version of Landlock's ABI, or the negative error number: -ENOSYS, -EOPNOTSUPP, -EPERM. */
  landlock: number
  /** Whether it confines signals. */
  signals: boolean
  /** Whether there are seccomp filters. */
  seccomp: boolean
}

/** What an engine runs. Checked by the caller: the addon reads a field of another type as empty or 0. */
export interface CommandRequest {
  /** Absolute path of the shell. */
  shell: string
  command: string
  /** Absolute path of the working directory. */
  directory: string
  /** `NAME=value` entries, each ended by a NUL: what many commands have in common. */
  environment: Buffer
  /** Likewise, of this command alone: they take the place of those of the same name. */
  variables?: string
  /** What the command reads from stdin: bytes, or a descriptor of this process. Undefined: nothing. */
  input?: Uint8Array | number | undefined
  separateStreams: boolean
  /** Bytes kept from the start of each stream. */
  headBytes: number
  /** Bytes kept from its end. */
  tailBytes: number
  /** Milliseconds; 0 for none. */
  timeoutMs: number
  /** Milliseconds from SIGTERM to SIGKILL. */
  graceMs: number
  killSurvivors: boolean
  /** A file to be created for output longer than `headBytes`; empty for none. */
  savePath: string
  /** Bytes of output that go there at most. */
  saveLimit: number
  /** Background job: the completion comes as soon as it runs. */
  background: boolean
  /** The background job; or the one that survivors, or the command, become: the engine puts it here when it has asked. */
  job: JobPlan | undefined
  /** Asked for that job once the shell has ended, and only when it leaves something. Undefined: there will be none. */
  adoption?: (() => JobPlan | undefined) | undefined
  /** Milliseconds until it is asked for the job that the command goes on as; 0: never. With merged streams only. */
  backgroundAfterMs?: number
  /** Asked for that job, which the engine puts into `job`; the message of what it throws goes into `unplanned`. */
  handOver?: (() => JobPlan | undefined) | undefined
  unplanned?: string
  /** Of a call that may start once. */
  mark?: MarkPlan | undefined
  /** For the shell of a session. */
  session: SessionPlan | undefined
  /** Resource, soft and hard limit of setrlimit(2), three numbers each. */
  limits: number[]
  /** Undefined: Unrestricted mode. */
  confinement: ConfinementPlan | undefined
}

/** What a policy comes to for one command. No path has a SOH (U+0001) in it. */
export interface ConfinementPlan {
  /** Directories that can be written to: absolute paths without symbolic links, 16 at most. */
  writable: readonly string[]
  /**
   * Files and directories whose content cannot be read: absolute paths, also such as are not there. A last component may
   * have `*` for any characters.
   */
  unreadable: readonly string[]
  /**
   * How many of them, the last ones, nobody has listed: if one leads to what has to be readable, the command runs
   * without it. Default 0.
   */
  usuallyUnreadable?: number
  /** Paths in each writable directory whose changes are reported, 128 at most. */
  watched: readonly string[]
  /** Whether files in /dev/shm can be written. */
  sharedMemory: boolean
  /** One of `writable` that no policy lists: for what package managers keep. */
  cacheDirectory?: string | undefined
  /** Whether its processes may be servers and clients of each other over TCP on loopback. */
  loopback: boolean
  /** Whether they may over sockets that have a path in a writable directory. */
  unixSockets: boolean
  /** The way to what its policy lists of the network. */
  proxy?: ProxyGrant | undefined
  /** A directory to be made, written to, and removed in the end; an absolute path, empty for none. */
  scratchDirectory: string
  /** Bytes of files in it, beyond which the command is killed. */
  scratchLimit: number
  /** Run no shell, but try out the protections on the file that `command` names. */
  probe: boolean
}

/** A proxy on 127.0.0.1, and what its supervisor sends it: the proxy serves a command as long as that connection lasts. */
export interface ProxyGrant {
  /** For HTTP: the command may connect to it. */
  port: number
  controlPort: number
  /** One line, newline included; no NUL. The proxy answers `OK\n`, and then `DENIED host:port\n` for each refusal. */
  grant: string
}

/** The plan of Restricted mode. */
export const readOnlyPlan: ConfinementPlan = {
  writable: [],
  unreadable: [],
  watched: [],
  sharedMemory: false,
  loopback: false,
  unixSockets: false,
  scratchDirectory: '',
  scratchLimit: 0,
  probe: false,
}

export interface SessionPlan {
  prologue: Buffer
  /** Where the shell finds it; it leaves its state at the next descriptor. */
  prologueDescriptor: number
  /** Bytes; a longer state counts as none. */
  stateLimit: number
  /** Called once at the end of the command, before its result. Undefined when there is no state. */
  onState: (state: Buffer | undefined) => void
}

export interface MarkPlan {
  /** A line of at most 511 bytes, a line break, and the absolute path of the mark, which the supervisor makes. */
  text: string
  /** Whether it has to be on the disk before the shell starts. */
  durable: boolean
  /** Called when it was made, with the descriptor that shares its lock; undefined: none was left for it. */
  onMade(descriptor: number | undefined): void
}

export interface JobPlan {
  id: string
  /** The job's own directory, which the supervisor makes; an absolute path. */
  directory: string
  /** The beginning of job.json. */
  description: string
  /** The beginning of the record that tells of its end, without a line break; without it there is none. */
  brief?: string
  /** Milliseconds after which a background job is killed; 0 for never. */
  limitMs: number
  /** Bytes in its output file. */
  outputLimit: number
}

/** How a command came to its end: the values of `process::Outcome`. */
export enum Outcome {
  ended = 0,
  timedOut = 1,
  cancelled = 2,
  notStarted = 3,
  supervisorLost = 4,
  /** A background job that runs. */
  detached = 5,
  /** It goes on as the job that was asked for at `backgroundAfterMs`. */
  handedOver = 6,
}

export interface RunningProcess {
  pid: number
  command: string
  daemon: boolean
  holdsOutput: boolean
}

export interface Completion {
  outcome: Outcome
  /** Of the shell; 0 when it did not start. */
  pid: number
  /** For `notStarted`: the step that failed, and its error number. For `supervisorLost`: ETIMEDOUT when it did not answer. */
  step: string | undefined
  errno: number
  /** How the shell ended, when it is known. */
  exited:
    | {
        /** -1 when it was ended by a signal. */
        exitCode: number
        /** 0 when it exited. */
        signal: number
        /** Undefined when the engine cannot tell. */
        usage: Usage | undefined
        /** When it cannot: what CPU time there was at most, milliseconds. */
        mostCpuMs?: number
      }
    | undefined
  /** Merged output and nothing, or stdout and stderr. A string when all of it is there, ASCII without NUL. */
  streams: [CapturedStream | string, CapturedStream | string]
  survivors: RunningProcess[]
  /** Whether the survivors are a job now. */
  adopted: boolean
  /** Whether the command has become a job. One that was cancelled, or timed out, meanwhile is a job that is killed. */
  isJob: boolean
  /** What the shell of a session has written. */
  state: Buffer | undefined
  /** Bytes in the file for long output. */
  savedBytes: number
  /** 0, or why that file is missing or incomplete. */
  saveErrno: number
  /** Protections that were in force: the bits of `protocol::Protection`. */
  protections: number
  /** Of a probe: those whose attempts were refused. */
  confirmed: number
  /** Whether it was killed for what it had in its scratch directory. */
  scratchFull: boolean
  /** Undefined when the sandbox has nothing to report. */
  report: SandboxEvents | undefined
  /** The descriptor of the call's mark; -1 when it was not made, -2 when none was left for it. Undefined: as -1. */
  mark?: number
  /** Why the command could not be made a job, where that was tried. */
  handOver?: { step: string; errno: number } | undefined
}

/** What the sandbox refused a command, and what it found. */
export interface SandboxEvents {
  /** `operation` as `protocol::Operation` counts them; `target`: a path, an address, a host. */
  denials: { operation: number; target: string }[]
  /** Further ones. */
  denialsDropped: number
  /** Watched paths that are not as they were: absolute. */
  changed: string[]
  /** Further ones, and what could not be looked at: too many paths, or a file system that does not answer. */
  changedDropped: number
  /** Whether everything was killed since nothing answered its notified system calls any more. */
  brokerEnded: boolean
}
