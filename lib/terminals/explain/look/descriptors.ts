// What a descriptor of another process is, as far as its link and the kernel's tables tell.

import type { Proc } from './proc.js'
import type { Socket, Sockets } from './sockets.js'

export type Descriptor =
  | { type: 'terminal' | 'inotify' | 'timer' | 'signals' | 'process' | 'epoll' | 'internal' }
  | { type: 'pipe'; link: string }
  | { type: 'socket'; inode: number; socket: Socket | undefined }
  | { type: 'path'; path: string }
  | { type: 'unknown' }

const anonymous = [
  ['inotify', 'inotify'],
  ['fanotify', 'inotify'],
  ['timerfd', 'timer'],
  ['signalfd', 'signals'],
  ['pidfd', 'process'],
  ['eventpoll', 'epoll'],
] as const

const terminal = /^\/dev\/(?:tty\w*|console|pts\/\d+)$/

export class Descriptors {
  readonly #proc: Proc
  readonly #sockets: Sockets
  readonly #ends = new Map<number, Map<string, number[]>>()

  constructor(proc: Proc, sockets: Sockets) {
    this.#proc = proc
    this.#sockets = sockets
  }

  look(pid: number, descriptor: number): Descriptor {
    const link = this.#proc.link(`${pid}/fd/${descriptor}`)
    if (link === undefined) return { type: 'unknown' }
    const [, kind, number] = /^(pipe|socket):\[(\d+)\]$/.exec(link) ?? []
    const inode = Number(number)
    if (kind === 'pipe') return { type: 'pipe', link }
    if (kind === 'socket') return { type: 'socket', inode, socket: this.#sockets.find(pid, inode) }
    if (link.startsWith('anon_inode:') || link.startsWith('pidfd:') || link.startsWith('inotify')) {
      const found = anonymous.find(([part]) => link.includes(part))
      return { type: found?.[1] ?? 'internal' }
    }
    if (terminal.test(link)) return { type: 'terminal' }
    return link.startsWith('/') ? { type: 'path', path: link } : { type: 'unknown' }
  }

  /** Descriptors of a process, and where they lead. */
  links(pid: number): { descriptor: number; link: string }[] {
    return this.#proc.numbers(`${pid}/fd`, maxDescriptors).map((descriptor) => ({
      descriptor,
      link: this.#proc.link(`${pid}/fd/${descriptor}`) ?? '',
    }))
  }

  /**
   * Which of some processes have an end of a pipe or FIFO.
   *
   * @param link as /proc shows it: `pipe:[4711]`, or a path
   * @param writes the end for writing
   */
  holders(pids: Iterable<number>, link: string, writes: boolean): number[] {
    return [...pids].filter((pid) =>
      (this.#byLink(pid).get(link) ?? []).some((descriptor) => this.#mayWrite(pid, descriptor) === writes),
    )
  }

  #byLink(pid: number): Map<string, number[]> {
    const known = this.#ends.get(pid)
    if (known !== undefined) return known
    const ends = new Map<string, number[]>()
    for (const { descriptor, link } of this.links(pid))
      ends.set(link, [...(ends.get(link) ?? []), descriptor])
    this.#ends.set(pid, ends)
    return ends
  }

  #mayWrite(pid: number, descriptor: number): boolean {
    const info = this.#proc.text(`${pid}/fdinfo/${descriptor}`, 1024) ?? ''
    const [, flags = '0'] = /^flags:\t([0-7]+)$/m.exec(info) ?? []
    return (Number.parseInt(flags, 8) & 3) !== 0
  }
}

const maxDescriptors = 256
