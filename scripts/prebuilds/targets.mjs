// What is prebuilt, for whom, and with what.
import { join, resolve } from 'node:path'

/** The checkout. */
export const root = resolve(import.meta.dirname, '../..')

/** The name of the program beside the addons of an architecture. */
export const SUPERVISOR = 'bashward-supervisor'

/** The oldest glibc that the addons load with: that of RHEL 8, and what Node 18 and newer need themselves. */
export const GLIBC = '2.28'

/**
 * @typedef {object} Target
 * @property {'x64' | 'arm64'} arch as Node calls it
 * @property {'glibc' | 'musl'} libc
 * @property {string} triple as Zig calls it
 */

/** @type {Target[]} */
export const targets = [
  { arch: 'x64', libc: 'glibc', triple: `x86_64-linux-gnu.${GLIBC}` },
  { arch: 'arm64', libc: 'glibc', triple: `aarch64-linux-gnu.${GLIBC}` },
  { arch: 'x64', libc: 'musl', triple: 'x86_64-linux-musl' },
  { arch: 'arm64', libc: 'musl', triple: 'aarch64-linux-musl' },
]

/** The files of a target below prebuilds/. The supervisor uses no C library: there is one for each architecture. */
export const filesOf = ({ arch, libc }) => ({
  addon: join(`linux-${arch}`, `bashward.${libc}.node`),
  supervisor: join(`linux-${arch}`, SUPERVISOR),
})

/** Whether the supervisor of a target's architecture is taken from its build. */
export const givesSupervisor = ({ libc }) => libc === 'glibc'

/** Every file below prebuilds/ that is a binary, sorted. */
export const allFiles = () => [...new Set(targets.map(filesOf).flatMap(Object.values))].sort()
