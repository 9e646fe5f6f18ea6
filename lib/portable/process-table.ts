// The processes of this machine: from /proc, or from ps(1) where there is none.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { parseStat } from '../jobs/identity.js'

export interface TableEntry {
  pid: number
  pgid: number
  /** Its arguments, joined by spaces, 200 characters at most. */
  command: string
}

const maxCommand = 200

/** The living processes of the group that `leader` leads; on Linux also those of its session. */
export function livingMembers(leader: number): TableEntry[] {
  return existsSync('/proc/self/stat') ? fromProc(leader) : fromPs(leader)
}

function fromProc(leader: number): TableEntry[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const { state, pgid, sid } = parseStat(readFileSync(`/proc/${name}/stat`, 'latin1'))
      if (state === 'Z' || state === 'X' || (pgid !== leader && sid !== leader)) return []
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').replace(/\0+$/, '').replaceAll('\0', ' ')
      return [{ pid: Number(name), pgid, command: words.slice(0, maxCommand) }]
    } catch {
      return [] // it has ended meanwhile
    }
  })
}

/** `ps -A -o` with these columns is POSIX but for `stat`, which Linux, macOS and the BSDs have. */
export function fromPs(leader: number): TableEntry[] {
  const columns = ['pid=', 'pgid=', 'stat=', 'args='].flatMap((column) => ['-o', column])
  const { stdout } = spawnSync('ps', ['-A', ...columns], {
    encoding: 'utf8',
    timeout: 5_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, pid, pgid, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    if (Number(pgid) !== leader || state.startsWith('Z')) return []
    return [{ pid: Number(pid), pgid: leader, command: command.slice(0, maxCommand) }]
  })
}
