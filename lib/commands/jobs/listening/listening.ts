// Where the processes of a job listen. Loaded when somebody asks for it.

import { readlinkSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isAlive, isSupervisorProcess, type ProcessIdentity } from '../../../base/util/process-identity.js'
import { descendantsOf, namesIn } from './job-processes.js'
import type { ListeningSocket } from './socket.js'
import { listenersAround, type TableEntry } from './tcp-table.js'

/** Open files that are looked at, of a process and in all. A server opens its own before those of its clients. */
const maxFilesOfProcess = 1024
const maxFiles = 8192
/** Sockets that are named. */
const maxSockets = 64
/** Then the event loop has its turn, milliseconds. */
const longestTurnMs = 4

/** A look at one or more jobs, in one moment. */
export class Look {
  /** Of the network namespaces that have been met, by the names of those. */
  readonly tables = new Map<string, readonly TableEntry[]>()
  #since = performance.now()

  /** Lets other events have their turn now and then. */
  async pace(): Promise<void> {
    if (performance.now() - this.#since < longestTurnMs) return
    await nextTurn()
    this.#since = performance.now()
  }
}

/**
 * The TCP sockets that listen for a job, whoever of its processes has them open: IPv4 and IPv6, and those in other
 * network namespaces. No privilege is needed for processes of this user; those of others are left out.
 *
 * @param supervisor of the job
 * @param look that at other jobs at this moment, if there are any
 * @throws {BashError} ERR_JOB_DIRECTORY as `isAlive`
 */
export async function listeningOf(
  supervisor: ProcessIdentity,
  look = new Look(),
): Promise<ListeningSocket[]> {
  const pids = isAlive(supervisor) === true ? descendantsOf(supervisor.pid) : []
  const found = new Map<string, ListeningSocket>()
  const here = networkOf('self')
  let files = 0
  for (const pid of pids) {
    await look.pace()
    const { sockets, looks } = socketsOf(pid, maxFiles - files)
    files += looks
    if (sockets.size === 0) continue
    const network = networkOf(pid)
    const isElsewhere = network !== here
    for (const { address, port, inode } of tableOf(network, pid, look)) {
      const key = `${network} ${address} ${port}`
      // A supervisor holds on to sockets for those that it watches over, and serves nobody.
      if (!sockets.has(inode) || found.has(key) || isSupervisorProcess(pid)) continue
      if (found.size < maxSockets)
        found.set(key, { address, port, pid, ...(isElsewhere && { otherNetwork: true }) })
    }
  }
  // Should its number have gone to another process meanwhile, those are not of the job.
  if (found.size > 0 && isAlive(supervisor) !== true) return []
  return [...found.values()].sort((a, b) => a.port - b.port || (a.address < b.address ? -1 : 1))
}

/** The numbers of the sockets that a process has open. */
function socketsOf(pid: number, left: number): { sockets: Set<string>; looks: number } {
  const sockets = new Set<string>()
  const names = namesIn(`/proc/${pid}/fd`).slice(0, Math.min(maxFilesOfProcess, left))
  for (const name of names) {
    const target = linkOf(`/proc/${pid}/fd/${name}`)
    if (target.startsWith('socket:[')) sockets.add(target.slice('socket:['.length, -1))
  }
  return { sockets, looks: names.length }
}

function tableOf(network: string, pid: number, { tables }: Look): readonly TableEntry[] {
  const known = tables.get(network)
  if (known !== undefined) return known
  const table = listenersAround(pid)
  // What has just ended says nothing of the others.
  if (table !== undefined) tables.set(network, table)
  return table ?? []
}

const networkOf = (pid: number | 'self'): string => linkOf(`/proc/${pid}/ns/net`)

/** Empty when the process has ended, or is somebody else's. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
