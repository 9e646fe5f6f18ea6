// What the sandbox protects, by name.

import { checkOneOf, invalidInput } from '../../base/util/invalid-input.js'

/**
 * In Restricted mode. What a policy allows is taken out of them: `filesystem` and `metadata` hold outside of its writable
 * directories; `network` for all but TCP among the processes of the command (`loopback`) and one HTTP proxy (`network`);
 * `unixSockets` for all but sockets that the command has made itself below them (`unixSockets`); `ipc` for all but /dev/shm
 * (`sharedMemory`).
 *
 * - `filesystem`: nothing is written, created, removed or renamed
 * - `metadata`: modes, owners, times and extended attributes stay as they are
 * - `devices`: no control of devices and terminals
 * - `network`: no sockets but for reading the routing tables
 * - `unixSockets`: no local sockets but connected pairs
 * - `ipc`: no System V or POSIX shared objects, no keyrings
 * - `signals`: none to processes outside
 * - `processes`: no process outside is traced, read, rescheduled, or limited
 * - `kernel`: no namespaces, mounts, io_uring, BPF, performance counters, foreign entries, or unknown system calls
 * - `privileges`: none are gained, and root has no capability but that to read
 * - `resources`: memory, CPU time, processes, file sizes and core dumps are limited
 */
export type Protection = (typeof protections)[number]

/** In the order of the bits of `protocol::Protection` in native/process/control_protocol.h. */
export const protections = [
  'filesystem',
  'metadata',
  'devices',
  'network',
  'unixSockets',
  'ipc',
  'signals',
  'processes',
  'kernel',
  'privileges',
  'resources',
] as const

/** @throws {BashError} ERR_INVALID_INPUT */
export function checkProtections(field: string, value: unknown): readonly Protection[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw invalidInput(field, 'must be an array of protections', value)
  return value.map((name, index) => checkOneOf(`${field}[${index}]`, name ?? null, protections))
}

/** @param bits as the addon gives them */
export function protectionsOf(bits: number): Protection[] {
  return protections.filter((_, index) => (bits & (1 << index)) !== 0)
}

export const lostSandbox =
  'the part of the sandbox that answers for modes, owners, times and sockets ended before the command did; the command was killed with everything it had started'
