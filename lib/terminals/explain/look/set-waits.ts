// What a thread waits for that waits for several descriptors at once: the one that tells most.

import { pipeWait } from './descriptor-waits.js'
import type { Descriptor } from './descriptors.js'
import type { Scene, Thread } from './scene.js'
import type { WaitedSet } from './waited-sets.js'
import { few, ranks, seconds, socketWait, type Wait } from './words.js'

const longMs = 5_000

/** @param thread without `tid` where it is not known which of them it is */
export function setWait(scene: Scene, thread: Pick<Thread, 'pid'> & Partial<Thread>, set: WaitedSet): Wait {
  const { pid, tid } = thread
  const { timeoutMs } = set
  const off = tid === undefined ? undefined : scene.clock.offProcessor(scene.proc, pid, tid)
  const waits = [
    ...set.inputs.map((descriptor) => memberWait(scene, pid, descriptor, false, off)),
    ...set.outputs.map((descriptor) => memberWait(scene, pid, descriptor, true, off)),
  ].filter((wait) => wait !== undefined)
  const server = waits.find(({ kind }) => kind === 'server')
  const best =
    server ??
    waits.reduce<Wait | undefined>((a, b) => (a === undefined || b.rank > a.rank ? b : a), undefined)
  if (best !== undefined && best.rank > ranks.few) {
    // Many programs look up every second or so, and wait again.
    const isLimited = timeoutMs !== undefined && timeoutMs >= longMs && best.kind !== 'server'
    return isLimited ? { ...best, text: [...best.text, `, for ${seconds(timeoutMs)} s at most`] } : best
  }
  // With a limit it is the time that counts, unless another process of the command is what it waits for.
  if (timeoutMs !== undefined && best?.kind !== 'pipe' && best?.kind !== 'child') {
    const text = `waiting for a timer, ${seconds(timeoutMs)} s at most`
    return { kind: 'sleep', text: [text], rank: ranks.sleep }
  }
  return best ?? { kind: 'events', text: ['waiting for events of its own'], rank: ranks.few }
}

/** @returns undefined for what tells nothing */
function memberWait(
  scene: Scene,
  pid: number,
  descriptor: number,
  isWriting: boolean,
  off: number | undefined,
): Wait | undefined {
  const found = scene.descriptors.look(pid, descriptor)
  switch (found.type) {
    case 'terminal': {
      const text = isWriting ? 'writing to a terminal that nobody reads' : 'waiting for input on a terminal'
      return { kind: isWriting ? 'output' : 'input', text: [text], rank: ranks.outside }
    }
    case 'pipe': {
      const name = ['stdin', 'stdout', 'stderr'][descriptor]
      const wait = pipeWait(scene, pid, found.link, isWriting, [
        `a pipe${name === undefined ? '' : ` (${name})`}`,
      ])
      return wait.kind === 'thread' ? undefined : wait
    }
    case 'socket':
      return isPairWithin(scene, pid, found) ? undefined : socketWait(found.socket, isWriting, off)
    case 'inotify':
      return few('events', 'waiting for files to change (inotify)')
    case 'process':
      return { kind: 'child', text: ['waiting for the end of another process'], rank: ranks.another }
    case 'path':
      return { kind: 'input', text: ['waiting for input from ', { path: found.path }], rank: ranks.server }
    default:
      return undefined
  }
}

/**
 * Whether both ends of a pair of sockets are the process's own, as event loops have it to be woken. The kernel gives the two
 * of a pair neighbouring numbers.
 */
function isPairWithin(
  scene: Scene,
  pid: number,
  { inode, socket }: Extract<Descriptor, { type: 'socket' }>,
): boolean {
  if (socket?.kind !== 'unix' || socket.place !== '') return false
  const names = new Set([`socket:[${inode - 1}]`, `socket:[${inode + 1}]`])
  return scene.descriptors.links(pid).some(({ link }) => names.has(link))
}
