// What an engine does: starting and ending commands, and what else is the system's to tell. Nobody above needs to know which
// of the two engines runs.

import type { Completion } from './completion.js'
import type { CommandRequest } from './request.js'

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

  /**
   * Whether a read of a descriptor would not wait: there are bytes, or the end.
   *
   * @returns undefined when this engine cannot tell
   */
  isReadable(descriptor: number): boolean | undefined

  /**
   * Makes a pipe whose ends no program inherits unless it is given one; they are the caller's to close.
   *
   * @returns undefined when this engine can make none; or why it cannot be made now
   */
  makePipe(): { reader: number; writer: number } | undefined | { errno: number }

  /** Another number after each change of the process's environment. Main thread only. */
  environmentVersion(): number

  /** @throws {BashError} ERR_UNSUPPORTED_PLATFORM when this engine cannot protect the host */
  protectHost(): { environmentWiped: boolean; notDumpable: boolean }

  /** @throws {BashError} ERR_SANDBOX_UNAVAILABLE when this engine has no Restricted mode */
  sandboxSupport(): SandboxSupport

  /** Another number after each change of the mounts, and whenever they cannot be read. */
  mountsVersion(): number

  /** Where other mounts show the same file or directory: absolute paths. @param path without symbolic links */
  otherNames(path: string): string[]

  /** Where something is mounted below a directory: absolute paths. @param path without symbolic links */
  mountsBelow(path: string): string[]

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
