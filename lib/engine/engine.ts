// What an engine does: starting and ending commands, and what else is the system's to tell. Nobody above needs to know
// which of them runs.

import type { CommandRequest, Completion, OutputListener } from './call.js'

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

  /** Another number after each change of the process's environment. Main thread only. */
  environmentVersion(): number

  /** @throws {BashError} ERR_UNSUPPORTED_PLATFORM when this engine cannot protect the host */
  protectHost(): { environmentWiped: boolean; notDumpable: boolean }

  /** @throws {BashError} ERR_SANDBOX_UNAVAILABLE when this engine has no Restricted mode */
  sandboxSupport(): SandboxSupport

  /** True for the first call in this process, or at least in this thread. */
  claimSandboxWarning(): boolean
}

/** What the kernel has of the means of Restricted mode. */
export interface SandboxSupport {
  /** The version of Landlock's ABI, or the negative error number: -ENOSYS, -EOPNOTSUPP, -EPERM. */
  landlock: number
  /** Whether it confines signals. */
  signals: boolean
  /** Whether there are seccomp filters. */
  seccomp: boolean
}
