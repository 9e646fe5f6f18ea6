// What a thread waits for that reads from one descriptor or writes to it.

import type { Piece } from '../finding.js'
import type { Scene } from './scene.js'
import { few, ranks, socketWait, type Wait } from './words.js'

export interface Access {
  isWriting: boolean
  /** The kernel's function that it waits in. */
  place: string
}

/** A read from, or a write to, one descriptor. */
export function descriptorWait(
  scene: Scene,
  pid: number,
  descriptor: number,
  access: Access,
): Wait | undefined {
  const { isWriting, place } = access
  const found = scene.descriptors.look(pid, descriptor)
  const name = ['stdin', 'stdout', 'stderr'][descriptor]
  const its = name === undefined ? '' : ` (${name})`
  switch (found.type) {
    case 'terminal': {
      const text = isWriting ? 'writing to a terminal that nobody reads' : 'waiting for input on a terminal'
      return { kind: isWriting ? 'output' : 'input', text: [text], rank: ranks.outside }
    }
    case 'pipe':
      return pipeWait(scene, pid, found.link, isWriting, [`a pipe${its}`])
    case 'socket':
      return socketWait(found.socket, isWriting)
    case 'inotify':
      return few('events', 'waiting for files to change (inotify)')
    case 'timer':
      return few('sleep', 'waiting for a timer')
    case 'signals':
      return few('signal', 'waiting for a signal')
    case 'path': {
      const named: Piece[] = [{ path: found.path }, its]
      if (place.includes('pipe')) return pipeWait(scene, pid, found.path, isWriting, ['the FIFO ', ...named])
      const text = isWriting ? 'writing to ' : 'waiting for input from '
      return { kind: isWriting ? 'output' : 'input', text: [text, ...named], rank: ranks.server }
    }
    default:
      return few('thread', 'waiting for another of its threads, or for events of its own')
  }
}

/** @param link of the descriptor */
export function pipeWait(scene: Scene, pid: number, link: string, isWriting: boolean, what: Piece[]): Wait {
  const holders = scene.descriptors.holders(scene.pids, link, !isWriting)
  const [other] = holders.filter((each) => each !== pid)
  const is = isWriting ? 'output' : 'input'
  if (other !== undefined) {
    const text = isWriting
      ? 'waiting for another process to read '
      : 'waiting for another process to write into '
    return { kind: 'pipe', text: [text, ...what], rank: ranks.another, peer: { pid: other, isOwn: true } }
  }
  // What it keeps both ends of wakes its own threads; but nobody else can write into that stdin, either.
  if (holders.includes(pid) && !isWriting) return few('thread', 'waiting for events of its own')
  const text = isWriting ? ['waiting until somebody reads ', ...what] : ['waiting for input on ', ...what]
  return { kind: is, text, rank: ranks.outside }
}
