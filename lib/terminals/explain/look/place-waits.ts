// What a thread waits for, where the kernel lets nobody trace it: by the name of the kernel's function that it waits in, which
// leaves doubts. Nothing is said that another wait could look like.

import { descriptorWait } from './descriptor-waits.js'
import { lockWait } from './lock-waits.js'
import type { Scene, Thread } from './scene.js'
import { setWait } from './set-waits.js'
import { epollSet } from './waited-sets.js'
import { few, hidden, ranks, type Wait } from './words.js'

export function placeWait(scene: Scene, { pid, stat }: Thread, place: string): Wait {
  const { proc, locks } = scene
  if (locks.wantedBy(pid) !== undefined) return lockWait(scene, pid, -1)
  if (/nanosleep/.test(place)) return { kind: 'sleep', text: ['asleep'], rank: ranks.sleep }
  if (/futex/.test(place)) return few('thread', 'waiting for another of its threads (futex)')
  if (/do_wait|vfork/.test(place))
    return { kind: 'child', text: ['waiting for the end of a child'], rank: ranks.another }
  if (/sigsuspend|sigtimedwait|^__?x64_sys_pause|do_pause/.test(place))
    return few('signal', 'waiting for a signal')
  const only = /pipe_read|pipe_write|wait_woken|skb_wait|unix_stream|wait_for_connect|csk_accept/.test(place)
    ? onlyDescriptorWait(scene, pid, place)
    : undefined
  if (only !== undefined) return only
  if (/fifo|partner/.test(place)) {
    return {
      kind: 'input',
      text: ['opening a FIFO that nobody has open at its other end'],
      rank: ranks.outside,
    }
  }
  if (/ep_poll|epoll/.test(place)) return epollWait(scene, pid)
  if (/poll|select/.test(place)) return few('events', 'waiting for events')
  if (stat.state === 'D') {
    const where = /^\w+$/.test(place) && place !== '0' ? ` (${place})` : ''
    return {
      kind: 'disk',
      text: [`waiting for a disk or another part of the system${where}`],
      rank: ranks.disk,
    }
  }
  if (proc.link(`${pid}/cwd`) === undefined) return { kind: 'unknown', text: [hidden], rank: ranks.hidden }
  return few('unknown', 'not known')
}

function epollWait(scene: Scene, pid: number): Wait {
  const epolls = scene.descriptors.links(pid).filter(({ link }) => link.includes('[eventpoll]'))
  const [epoll] = epolls
  if (epoll === undefined || epolls.length > 1) return few('events', 'waiting for events')
  const set = { ...epollSet(scene.proc, pid, epoll.descriptor), timeoutMs: undefined }
  return setWait(scene, { pid }, set)
}

/** Of a process that has only one descriptor of the kind that it waits for. */
function onlyDescriptorWait(scene: Scene, pid: number, place: string): Wait | undefined {
  const isPipe = place.includes('pipe')
  const isWriting = place.includes('pipe_write')
  const links = scene.descriptors
    .links(pid)
    .filter(({ link }) => link.startsWith(isPipe ? 'pipe:' : 'socket:'))
  const fitting = isPipe
    ? links.filter(({ link }) => scene.descriptors.holders([pid], link, isWriting).length > 0)
    : links
  const [one] = fitting
  if (one === undefined || new Set(fitting.map(({ link }) => link)).size > 1) return undefined
  return descriptorWait(scene, pid, one.descriptor, { isWriting, place })
}
