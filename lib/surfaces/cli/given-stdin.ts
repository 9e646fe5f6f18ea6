// Whether anything was given to this program to read.

import { spawnSync } from 'node:child_process'
import { fstatSync, type Stats } from 'node:fs'
import { findBash } from '../../guard/sandbox/find-bash.js'
import { currentEngine } from '../../processes/engine/choose.js'

/**
 * What stdin is, if it is a file, a pipe, or a socket with something in it or at its end. A terminal is nothing to read: a
 * command under an agent's tool has none. Nor is a socket that says nothing: Node's child_process gives one to every program
 * by default, few hosts close it, and a command that reads would wait for its end.
 */
export function givenStdin(): 'file' | 'socket' | undefined {
  const stats = statStdin()
  if (stats === undefined) return undefined
  if (stats.isFIFO() || stats.isFile()) return 'file'
  return stats.isSocket() && isReadable() ? 'socket' : undefined
}

function statStdin(): Stats | undefined {
  try {
    return fstatSync(0)
  } catch {
    return undefined
  }
}

function isReadable(): boolean {
  try {
    return currentEngine().isReadable(0) ?? bashCanRead()
  } catch {
    // Without an engine, or without bash: the command says so.
    return false
  }
}

/** For the portable engine: Node cannot ask without reading; `read -t 0` of bash can. */
function bashCanRead(): boolean {
  const { status } = spawnSync(findBash(), ['-c', 'read -t 0'], {
    stdio: ['inherit', 'ignore', 'ignore'],
    // Neither BASH_ENV nor functions; with SHLVL no ~/.bashrc either, which bash reads when its stdin is a socket.
    env: { SHLVL: '1' },
  })
  return status === 0
}
