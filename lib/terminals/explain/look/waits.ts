// What a thread waits for: from its system call and the descriptors in it, or, where the kernel lets nobody trace it, from
// the name of the kernel's function that it waits in.

import type { Piece } from '../finding.js'
import { descriptorWait } from './descriptor-waits.js'
import { lockWait } from './lock-waits.js'
import { placeWait } from './place-waits.js'
import type { Proc } from './proc.js'
import { childrenOf } from './processes.js'
import type { Scene, Thread } from './scene.js'
import { setWait } from './set-waits.js'
import { asInt, parseSystemCall, type SystemCall } from './system-calls.js'
import { timeOf, waitedSet } from './waited-sets.js'
import { few, ranks, sleepText, socketWait, type Wait } from './words.js'

export function waitOf(scene: Scene, thread: Thread): Wait {
  const { proc } = scene
  const { pid, tid, stat } = thread
  if (stat.state === 'T') return { kind: 'stopped', text: ['stopped, as by SIGSTOP'], rank: ranks.lock }
  if (stat.state === 't') return { kind: 'stopped', text: ['stopped by a debugger'], rank: ranks.lock }
  const place = proc.text(`${pid}/task/${tid}/wchan`, 128) ?? ''
  if (place.includes('seccomp')) return few('events', 'waiting for the sandbox to decide on a system call')
  // In this state its system call may take forever to be told: the one that it replaces its program with, say.
  const line = stat.state === 'D' ? undefined : proc.systemCall(pid, tid)
  if (line?.startsWith('running')) return few('active', 'running now and then')
  const call = line === undefined ? undefined : parseSystemCall(line)
  const found = call === undefined ? undefined : callWait(scene, thread, call, place)
  return found ?? placeWait(scene, thread, place)
}

function callWait(scene: Scene, thread: Thread, call: SystemCall, place: string): Wait | undefined {
  const { proc, descriptors, clock } = scene
  const { pid, tid, runs } = thread
  const first = asInt(call.args[0])
  const off = () => clock.offProcessor(proc, pid, tid)
  switch (call.name) {
    case 'read':
    case 'write':
      return descriptorWait(scene, pid, first, { isWriting: call.name === 'write', place })
    case 'receive':
    case 'send':
    case 'accept':
    case 'connect': {
      const found = descriptors.look(pid, first)
      return socketWait(found.type === 'socket' ? found.socket : undefined, call.name === 'send', off())
    }
    case 'poll':
    case 'ppoll':
    case 'select':
    case 'pselect':
    case 'epoll': {
      const set = waitedSet(proc, pid, call)
      return set === undefined ? few('events', 'waiting for events') : setWait(scene, thread, set)
    }
    case 'sleep': {
      const total = timeOf(proc, pid, call.args[0], 1e6)
      return sleepWait(total, off(), runs)
    }
    case 'clockSleep': {
      const time = timeOf(proc, pid, call.args[2], 1e6)
      const isAbsolute = (asInt(call.args[1]) & 1) === 1
      if (!isAbsolute || time === undefined) return sleepWait(time, off(), runs)
      const now = asInt(call.args[0]) === 0 ? Date.now() : Number(process.hrtime.bigint()) / 1e6
      return sleepWait(Math.max(0, time - now), 0, runs)
    }
    case 'restart':
      return { kind: 'sleep', text: ['asleep'], rank: ranks.few }
    case 'wait':
    case 'fork':
      return childWait(proc, pid)
    case 'futex':
      return few('thread', 'waiting for another of its threads (futex)')
    case 'pause':
      return few('signal', 'waiting for a signal')
    case 'uring':
      return few('events', 'waiting for events (io_uring)')
    case 'flock':
    case 'fcntl':
      return place.includes('lock') || scene.locks.wantedBy(pid) !== undefined
        ? lockWait(scene, pid, first)
        : undefined
    case 'open':
    case 'openat':
      return openWait(scene, pid, call, place)
    default:
      return undefined
  }
}

function childWait(proc: Proc, pid: number): Wait {
  const [child, another] = childrenOf(proc, pid)
  const wait: Wait = { kind: 'child', text: ['waiting for the end of a child'], rank: ranks.another }
  if (child === undefined || another !== undefined) return wait
  return { ...wait, text: ['waiting for its child'], peer: { pid: child, isOwn: true, word: ' ' } }
}

function sleepWait(totalMs: number | undefined, offMs: number | undefined, runs: number | undefined): Wait {
  const rank = ranks.sleep
  if (totalMs === undefined) return { kind: 'sleep', text: ['asleep'], rank }
  return { kind: 'sleep', text: [sleepText(totalMs, offMs, runs !== undefined && runs > 1)], rank }
}

const accessModes = 3n

function openWait(scene: Scene, pid: number, { name, args }: SystemCall, place: string): Wait | undefined {
  if (!/fifo|partner|pipe/.test(place)) return undefined
  const [address = 0n, flags = 0n] = name === 'open' ? args : args.slice(1)
  const path = textAt(scene.proc, pid, Number(address))
  const nobody = (flags & accessModes) === 0n ? 'writing' : 'reading'
  const text: Piece[] = ['opening the FIFO ', { path }, `, which nobody has open for ${nobody}`]
  return { kind: nobody === 'writing' ? 'input' : 'output', text, rank: ranks.outside }
}

/** Not beyond the page that it begins in unless that page holds no end of it. */
function textAt(proc: Proc, pid: number, address: number): string {
  const rest = 4096 - (address % 4096)
  const [first, whole] = [proc.memory(pid, address, rest), proc.memory(pid, address, 4096)]
  const bytes = first?.includes(0) ? first : (whole ?? first ?? Buffer.alloc(0))
  const end = bytes.indexOf(0)
  return bytes.toString('latin1', 0, end < 0 ? bytes.length : end)
}
