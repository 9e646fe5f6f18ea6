// Looks at processes through /proc, and only ever touches those that carry a mark of this run.

import fs from 'node:fs'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** Between two looks: polling without pause would take a CPU from what is being measured. */
const POLL_MS = 0.1

let lastMark = 0
const never = new Int32Array(new SharedArrayBuffer(4))

/** @returns {string} a duration for sleep(1), about a minute, that no other process on the machine has */
export function newMark() {
  lastMark++
  return `60.${String(process.pid).padStart(8, '0')}${String(lastMark).padStart(5, '0')}`
}

/** @returns {number[]} the living processes with the mark in their command line, but for `except` */
export function findMarked(mark, except = []) {
  return fs
    .readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && !except.includes(pid) && read(pid, 'cmdline').includes(mark) && isAlive(pid))
}

/** A zombie is dead: it only waits for its parent. */
export function isAlive(pid) {
  const stat = read(pid, 'stat')
  // proc_pid_stat(5): the state follows the command's name, which may itself contain parentheses.
  return stat !== '' && !'ZX'.includes(stat[stat.lastIndexOf(')') + 2])
}

/** Waits until `count` programs named sleep carry the mark. @returns {Promise<number[]>} all that carry it */
export async function untilAsleep(mark, count, except) {
  for (const deadline = Date.now() + 5000; Date.now() < deadline; ) {
    const pids = findMarked(mark, except)
    if (pids.filter((pid) => read(pid, 'comm').trim() === 'sleep').length >= count) return pids
    await sleep(5)
  }
  throw new Error(`fewer than ${count} descendants have started`)
}

/** @returns {Promise<number | null>} when all were gone, CLOCK_MONOTONIC in ms; null: too late */
export async function untilGone(pids, timeoutMs) {
  const now = () => Number(process.hrtime.bigint()) / 1e6
  for (const deadline = now() + timeoutMs; now() < deadline; ) {
    if (!pids.some(isAlive)) return now()
    // A timer of the event loop cannot wait for less than 1 ms.
    Atomics.wait(never, 0, 0, POLL_MS)
    await nextTurn()
  }
  return null
}

/** Kills what carries the mark. */
export function killMarked(mark, except) {
  for (const pid of findMarked(mark, except)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

function read(pid, file) {
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
