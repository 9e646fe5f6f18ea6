// Whether anything was given to this program to read.

import { spawnSync } from 'node:child_process'
import { fstatSync, type Stats } from 'node:fs'

/**
 * Whether stdin is a file, a pipe, or a socket with something in it or at its end. A terminal is not: a command under an
 * agent's tool has none. Nor is a socket that says nothing: Node's child_process gives one to every program by default, few
 * hosts close it, and a command that reads would wait for its end.
 */
export function isStdinGiven(): boolean {
  const stats = statStdin()
  if (stats === undefined) return false
  return stats.isFIFO() || stats.isFile() || (stats.isSocket() && isReadable())
}

function statStdin(): Stats | undefined {
  try {
    return fstatSync(0)
  } catch {
    return undefined
  }
}

/** Node cannot ask without reading; `read -t 0` of bash can. */
function isReadable(): boolean {
  const { status } = spawnSync('bash', ['-c', 'read -t 0'], {
    stdio: ['inherit', 'ignore', 'ignore'],
    // Neither BASH_ENV nor functions.
    env: { PATH: process.env.PATH },
  })
  return status === 0
}
