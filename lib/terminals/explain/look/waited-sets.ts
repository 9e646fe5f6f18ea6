// The descriptors that a thread waits for with poll(2), select(2) and epoll(7), and for how long.

import type { Proc } from './proc.js'
import { asInt, epollWithStructure, type SystemCall } from './system-calls.js'

export interface WaitedSet {
  /** For something to read, or a connection. */
  inputs: number[]
  /** For room to write. */
  outputs: number[]
  /** Milliseconds of the whole wait; undefined: without end. */
  timeoutMs: number | undefined
}

const maxDescriptors = 1024
const maxNesting = 4

const pollIn = 0x0001 | 0x0002 | 0x0040 | 0x0080
const pollOut = 0x0004 | 0x0100

/** @returns undefined when the call is none of these, or what it was given cannot be read */
export function waitedSet(proc: Proc, pid: number, call: SystemCall): WaitedSet | undefined {
  switch (call.name) {
    case 'poll':
    case 'ppoll':
      return polled(proc, pid, call)
    case 'select':
    case 'pselect':
      return selected(proc, pid, call)
    case 'epoll': {
      const timeoutMs =
        call.number === epollWithStructure
          ? timeOf(proc, pid, call.args[3], 1e6)
          : finite(asInt(call.args[3]))
      return { ...epollSet(proc, pid, asInt(call.args[0])), timeoutMs }
    }
    default:
      return undefined
  }
}

const finite = (milliseconds: number): number | undefined => (milliseconds < 0 ? undefined : milliseconds)

/** Of a `timespec`, or a `timeval`. @param unit of its second number, per millisecond */
export function timeOf(proc: Proc, pid: number, address = 0n, unit: number): number | undefined {
  const bytes = address === 0n ? undefined : proc.memory(pid, Number(address), 16)
  if (bytes?.length !== 16) return undefined
  return Number(bytes.readBigInt64LE(0)) * 1000 + Number(bytes.readBigInt64LE(8)) / unit
}

function polled(proc: Proc, pid: number, { name, args }: SystemCall): WaitedSet | undefined {
  const [address = 0n, length = 0n, limit] = args
  const count = Math.min(Number(length), maxDescriptors)
  const timeoutMs = name === 'poll' ? finite(asInt(limit)) : timeOf(proc, pid, limit, 1e6)
  const set: WaitedSet = { inputs: [], outputs: [], timeoutMs }
  if (count === 0) return set
  const bytes = proc.memory(pid, Number(address), count * 8)
  if (bytes === undefined) return undefined
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    const [descriptor, events] = [bytes.readInt32LE(at), bytes.readInt16LE(at + 4)]
    if (descriptor < 0) continue
    if ((events & pollIn) !== 0) set.inputs.push(descriptor)
    if ((events & pollOut) !== 0) set.outputs.push(descriptor)
  }
  return set
}

function selected(proc: Proc, pid: number, { name, args }: SystemCall): WaitedSet | undefined {
  const [length = 0n, readers, writers, , limit] = args
  const count = Math.min(Math.max(0, asInt(length)), maxDescriptors)
  const inputs = bits(proc, pid, readers, count)
  const outputs = bits(proc, pid, writers, count)
  if (inputs === undefined || outputs === undefined) return undefined
  return { inputs, outputs, timeoutMs: timeOf(proc, pid, limit, name === 'select' ? 1e3 : 1e6) }
}

function bits(proc: Proc, pid: number, address = 0n, count: number): number[] | undefined {
  if (address === 0n || count === 0) return []
  const bytes = proc.memory(pid, Number(address), Math.ceil(count / 64) * 8)
  if (bytes === undefined) return undefined
  const all = Array.from({ length: count }, (_, bit) => bit)
  return all.filter((bit) => (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1)
}

const epollIn = 0x1 | 0x2 | 0x40 | 0x80
const epollOut = 0x4 | 0x100

/** Also what the epolls among them wait for, which may lead in a circle. */
export function epollSet(proc: Proc, pid: number, descriptor: number): Pick<WaitedSet, 'inputs' | 'outputs'> {
  const set = { inputs: new Set<number>(), outputs: new Set<number>() }
  const visited = new Set<number>()
  let round = [descriptor]
  for (let depth = 0; depth < maxNesting && round.length > 0; depth++) {
    const next: number[] = []
    for (const epoll of round) {
      if (visited.has(epoll)) continue
      visited.add(epoll)
      for (const { target, events } of entries(proc, pid, epoll)) {
        if (set.inputs.size + set.outputs.size >= maxDescriptors) break
        const isNested = proc.link(`${pid}/fd/${target}`)?.includes('[eventpoll]') === true
        if (isNested) next.push(target)
        else if ((events & epollIn) !== 0) set.inputs.add(target)
        else if ((events & epollOut) !== 0) set.outputs.add(target)
      }
    }
    round = next
  }
  return { inputs: [...set.inputs], outputs: [...set.outputs] }
}

function entries(proc: Proc, pid: number, epoll: number): { target: number; events: number }[] {
  const info = proc.text(`${pid}/fdinfo/${epoll}`, 256 * 1024) ?? ''
  const found = info.matchAll(/^tfd: +(\d+) events: +([\da-f]+)/gm)
  return [...found].map(([, target, events = '0']) => ({
    target: Number(target),
    events: Number.parseInt(events, 16),
  }))
}
