// Tells quiet batches from those that other work on the machine has disturbed.

import fs from 'node:fs'
import os from 'node:os'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** A batch is kept when its noise, a share of its time, is at most this. */
const MAX_NOISE = 0.15
/** How long the machine is watched, with nothing of ours running, before and after a batch. */
const WINDOW_MS = 50
/** How many windows to wait for a quiet one before the batch runs all the same. */
const MAX_WINDOWS = 6

/** @returns {number} ms in which some task was ready and no CPU was free (kernel docs: accounting/psi) */
function pressureMs() {
  const [, microseconds] = fs.readFileSync('/proc/pressure/cpu', 'latin1').match(/^some .*total=(\d+)/m)
  return Number(microseconds) / 1000
}

/** @returns {number} ms that the CPUs were not idle, per CPU (proc_stat(5)); counted in ticks of 10 ms */
function busyMs() {
  const cpus = os.cpus()
  return (
    cpus.reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / cpus.length
  )
}

/**
 * @returns {number} ms, of all CPUs together, in which a virtual machine had work and its host ran something else
 * (proc_stat(5)); counted in ticks of 10 ms
 */
export function stealMs() {
  const [, steal] = fs.readFileSync('/proc/stat', 'latin1').match(/^cpu +(?:\d+ ){7}(\d+)/)
  return Number(steal) * 10
}

const hasPressure = fs.existsSync('/proc/pressure/cpu')
const readInside = hasPressure ? pressureMs : busyMs

export const noiseSource = hasPressure
  ? '/proc/pressure/cpu and /proc/stat, with steal'
  : '/proc/stat, with steal (no /proc/pressure/cpu here)'

async function shareDuring(read, run) {
  const before = read()
  const begun = performance.now()
  const value = await run()
  return { value, share: (read() - before) / (performance.now() - begun) }
}

// While nothing of ours runs, a single busy program causes no pressure. During the batch it will, so busy time
// counts, too.
async function watch() {
  const { value, share } = await shareDuring(busyMs, () => shareDuring(readInside, () => sleep(WINDOW_MS)))
  return Math.max(share, value.share)
}

/**
 * Runs one batch when the machine is quiet, or has not become quiet in a while.
 * @template T @param {() => Promise<T>} run
 * @returns {Promise<{ value: T, around: number, during: number, steal: number }>} around: foreign load just before
 *   and after; during: the pressure in the batch, its own and foreign; steal: of all CPUs together
 */
export async function observe(run) {
  let before = await watch()
  for (let i = 1; i < MAX_WINDOWS && before > MAX_NOISE; i++) before = await watch()
  const { value: inside, share: steal } = await shareDuring(stealMs, () => shareDuring(readInside, run))
  const { value, share: during } = inside
  return { value, around: Math.max(before, await watch()), during, steal }
}

/**
 * The batches of one series that count. Each does the same work, so the pressure that one has more than the
 * quietest is foreign, and steal always is. When less than half of them are quiet, the quieter half is kept.
 * @template {{ around: number, during: number, steal: number }} B @param {B[]} batches
 * @returns {{ kept: B[], noisy: boolean }}
 */
export function selectQuiet(batches) {
  const own = Math.min(...batches.map((batch) => batch.during))
  const noise = (batch) => Math.max(batch.around, batch.during - own, batch.steal)
  const quiet = batches.filter((batch) => noise(batch) <= MAX_NOISE)
  const half = Math.ceil(batches.length / 2)
  if (quiet.length >= half) return { kept: quiet, noisy: false }
  return { kept: batches.toSorted((a, b) => noise(a) - noise(b)).slice(0, half), noisy: true }
}
