// Where the processes of a job listen. Loaded when somebody asks for it.

import { readlinkSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isAlive, isSupervisorProcess, type ProcessIdentity } from '../identity.js'
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

/** The tables of the network namespaces that have been read, by the names of those. Good for one moment. */
export type Tables = Map<string, readonly TableEntry[]>

/**
 * The TCP sockets that listen for a job, whoever of its processes has them open: IPv4 and IPv6, and those in other
 * network namespaces. No privilege is needed for processes of this user; those of others are left out.
 *
 * @param supervisor of the job
 * @param tables what has been read for other jobs just now
 * @throws {BashError} ERR_JOB_DIRECTORY as `isAlive`
 */
export async function listeningOf(
  supervisor: ProcessIdentity,
  tables: Tables = new Map(),
): Promise<ListeningSocket[]> {
  const pids = isAlive(supervisor) === true ? descendantsOf(supervisor.pid) : []
  const found = new Map<string, ListeningSocket>()
  let files = 0
  let since = performance.now()
  for (const pid of pids) {
    if (performance.now() - since > longestTurnMs) {
      await nextTurn()
      since = performance.now()
    }
    const { sockets, looks } = socketsOf(pid, maxFiles - files)
    files += looks
    if (sockets.size === 0) continue
    const network = networkOf(pid)
    const isElsewhere = network !== networkOf('self')
    for (const { address, port, inode } of tableOf(network, pid, tables)) {
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

function tableOf(network: string, pid: number, tables: Tables): readonly TableEntry[] {
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
