// A thread's time: what it computes counts, and not what a loaded machine makes it wait.

import { readFileSync } from 'node:fs'

/** On a busy machine a thread may be given so little of the time that passes. */
const wallFactor = 10
/** The kernel counts in ticks of up to so many milliseconds. */
const tickMs = 10

/**
 * Calls `onExceeded` once the thread has computed for longer than `limitMs`, or has not come to an end in ten times as long.
 * Where its processor time is not told, the time that passes counts.
 *
 * @param thread its directory in /proc; empty where there is none
 * @returns a function that ends this
 */
export function limitThread(thread: string, limitMs: number, onExceeded: () => void): () => void {
  const from = readComputed(thread)
  const end = Date.now() + limitMs * wallFactor
  const look = () => {
    const now = readComputed(thread)
    const left = from === undefined || now === undefined ? 0 : limitMs - (now - from)
    if (left <= 0 || Date.now() >= end) onExceeded()
    else timer = setTimeout(look, Math.max(left, tickMs))
  }
  let timer = setTimeout(look, limitMs + tickMs)
  return () => clearTimeout(timer)
}

/** Milliseconds. */
function readComputed(thread: string): number | undefined {
  if (thread === '') return undefined
  try {
    return Number.parseInt(readFileSync(`${thread}/schedstat`, 'latin1'), 10) / 1e6
  } catch {
    return undefined
  }
}
