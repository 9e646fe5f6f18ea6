// The processes of a job: what its supervisor has below it. As their subreaper it has the daemons, too.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { once } from '../../../base/util/lazy.js'
import { procPids } from '../../../base/util/process-identity.js'

/** Of a job with more only so many are looked at; those that started first come first. */
export const maxProcesses = 256
const maxThreads = 4096

/**
 * The descendants of a process, children before grandchildren. Those that end meanwhile are no error, and those that
 * /proc does not show are left out.
 */
export function descendantsOf(pid: number): number[] {
  const childrenOf = hasChildrenFiles() ? childrenByThreads() : childrenByParents()
  // The list is its own queue. A number is in it once, or a loop of them would never end: processes come and go.
  const found = new Set<number>()
  for (const parent of withFirst(pid, found)) {
    for (const child of childrenOf(parent)) {
      if (found.size >= maxProcesses) return [...found]
      if (child !== pid) found.add(child)
    }
  }
  return [...found]
}

function* withFirst(first: number, rest: Iterable<number>): Generator<number> {
  yield first
  yield* rest
}

type ChildrenOf = (pid: number) => readonly number[]

/** A kernel without CONFIG_PROC_CHILDREN has none. */
const hasChildrenFiles = once(() => existsSync('/proc/thread-self/children'))

/** A child is listed with the thread that has started it. */
function childrenByThreads(): ChildrenOf {
  let threads = 0
  return (pid) => {
    const children: number[] = []
    for (const thread of namesIn(`/proc/${pid}/task`)) {
      if (++threads > maxThreads) break
      const text = textOf(`/proc/${pid}/task/${thread}/children`)
      for (const child of text.split(' ')) if (child !== '') children.push(Number(child))
    }
    return children
  }
}

function childrenByParents(): ChildrenOf {
  const children = new Map<number, number[]>()
  for (const pid of procPids()) {
    const stat = textOf(`/proc/${pid}/stat`)
    // Field 4; the name before it may hold spaces and parentheses.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ', 2)[1])
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [pid])
    else siblings.push(pid)
  }
  return (pid) => children.get(pid) ?? []
}

/** The names in a directory of /proc; none when its process is gone, or is somebody else's. */
export function namesIn(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
