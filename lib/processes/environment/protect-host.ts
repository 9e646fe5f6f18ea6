// Hiding the host's own environment and memory from the commands it runs.

import { currentEngine } from '../engine/choose.js'

/** What is in force after {@link protectHost}. */
export interface HostProtection {
  /** `/proc/PID/environ` of this process is empty. The process itself keeps its variables. */
  environmentWiped: boolean
  /** Other processes of the same ordinary user cannot read this process's memory or environment. */
  notDumpable: boolean
}

/**
 * Keeps commands from reading this process's environment and memory through /proc. Filtering the environment that a
 * command is given does not do that: `cat /proc/PID/environ` shows a parent's. Process-wide, for good, and with side
 * effects, so it happens only on request:
 * - this process leaves no core dumps, and debuggers and profilers of the same user cannot attach to it
 * - its files under /proc/self belong to root
 * - commands of root lose CAP_SYS_PTRACE, CAP_SYS_ADMIN and CAP_PERFMON: they cannot mount, nor trace processes that
 *   have more capabilities. That covers this process's ancestors too
 *
 * Not covered: an ordinary user's other processes, this process's ancestors among them, that hold the same secrets.
 *
 * Source: prctl(2) PR_SET_DUMPABLE, ptrace(2) "Ptrace access mode checking", proc_pid_environ(5).
 *
 * @throws {BashError} ERR_UNSUPPORTED_PLATFORM where the native engine cannot be loaded, or does not run
 */
export function protectHost(): HostProtection {
  return currentEngine().protectHost()
}
