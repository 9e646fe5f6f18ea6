// Why a command does not go on: what is known of one of its processes, and how that is said.

/**
 * - `busy`: it computes
 * - `active`: it does little, but goes on
 * - `sleep`: it waits for a time to pass
 * - `lock`: another process holds a lock on a file
 * - `network`: a peer has to answer, or a connection to be made
 * - `server`: it waits for clients
 * - `input`: it reads from a terminal, a FIFO, or a pipe whose other end is not its own command's
 * - `output`: nobody takes what it writes
 * - `pipe`: another process of the command has to write or read
 * - `child`: it waits for the end of another process
 * - `disk`: a file system has to answer
 * - `thread`: it waits for another of its threads, or a process that it shares memory with
 * - `signal`: it waits for a signal
 * - `events`: it waits for something that is not input, such as the change of a file
 * - `stopped`: it was stopped, by SIGSTOP, say
 * - `unknown`: /proc does not tell
 */
export type WaitingKind = (typeof waitingKinds)[number]

export const waitingKinds = [
  ...(['busy', 'active', 'sleep', 'lock', 'network', 'server', 'input', 'output', 'pipe'] as const),
  ...(['child', 'disk', 'thread', 'signal', 'events', 'stopped', 'unknown'] as const),
] as const

/** What a process of a command was found to do, or to wait for. The names in it are the command's choice. */
export interface WaitingFor {
  pid: number
  /** Its command line, cut at 200 characters. */
  command: string
  kind: WaitingKind
  /** In words: `'waiting for the lock of /srv/app/db.lock, held by 4711 (git)'`. */
  text: string
  /** Whom it waits for, where that is one process. Of one that is not the command's, `command` is its name only. */
  peer?: { pid: number; command: string }
}

/** Characters of a command line where it is one of several things in a line. */
export const shownCommand = 60

/** Processes that a line names. */
const namedProcesses = 3

/** In one line; empty when nothing is known of any process. */
export function waitingLine(waiting: readonly WaitingFor[]): string {
  const named = waiting.slice(0, namedProcesses)
  const more = waiting.length - named.length
  const parts = named.map((each) => `${nameOf(each)}: ${each.text}`)
  return [...parts, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** As survivors are named: `4711 (sleep 60)`. */
export function nameOf({ pid, command }: Pick<WaitingFor, 'pid' | 'command'>): string {
  const name = cut(command, shownCommand)
  return name === '' ? String(pid) : `${pid} (${name})`
}

/** Never through a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
