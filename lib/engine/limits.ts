// Resource limits of a command: setrlimit(2).

import { checkInteger, checkObject } from '../invalid-input.js'
import type { BashResult } from '../result.js'

/** A limit above this process's own hard limit is lowered to it. */
export interface ResourceLimits {
  /** CPU time of each process, seconds, 1…31536000; at the limit SIGXCPU, five seconds later SIGKILL. */
  cpuSeconds?: number
  /** Data segment and private mappings of each process, bytes, 1 MiB or more (RLIMIT_DATA). */
  memoryBytes?: number
  /** Size of a file that is written, bytes; beyond it SIGXFSZ. */
  fileSizeBytes?: number
  /** Open descriptors of each process, 16…1048576. */
  openFiles?: number
}

const ranges: Record<keyof ResourceLimits, readonly [minimum: number, maximum: number]> = {
  cpuSeconds: [1, 31_536_000],
  memoryBytes: [1024 * 1024, Number.MAX_SAFE_INTEGER],
  fileSizeBytes: [0, Number.MAX_SAFE_INTEGER],
  openFiles: [16, 1_048_576],
}

// RLIMIT_* of <asm-generic/resource.h>, which x86-64 and arm64 share.
const resource = { cpu: 0, fileSize: 1, data: 2, openFiles: 7 }

/** @throws {BashError} ERR_INVALID_INPUT */
export function checkLimits(field: string, value: unknown): ResourceLimits {
  if (value === undefined) return {}
  const limits = checkObject(field, value, Object.keys(ranges))
  for (const [name, range] of Object.entries(ranges)) {
    if (limits[name] !== undefined) checkInteger(`${field}.${name}`, limits[name], range)
  }
  return limits
}

/** Resource, soft and hard limit, three numbers each, as the addon takes them. */
export function encodeLimits(limits: ResourceLimits): number[] {
  const { cpuSeconds, memoryBytes, fileSizeBytes, openFiles } = limits
  const encoded: number[] = []
  // SIGXCPU at the soft limit tells what happened; the hard one is for who ignores it.
  if (cpuSeconds !== undefined) encoded.push(resource.cpu, cpuSeconds, cpuSeconds + 5)
  if (memoryBytes !== undefined) encoded.push(resource.data, memoryBytes, memoryBytes)
  if (fileSizeBytes !== undefined) encoded.push(resource.fileSize, fileSizeBytes, fileSizeBytes)
  if (openFiles !== undefined) encoded.push(resource.openFiles, openFiles, openFiles)
  return encoded
}

/**
 * The limit that ended a command, as far as its end tells. bash gives 128 + n for a child ended by signal n, which a
 * command can also say itself: the CPU time that was used has the last word.
 */
export function firedLimit(
  limits: ResourceLimits,
  signal: string | null,
  exitCode: number | null,
  cpuMs: number,
): Pick<BashResult, 'limit' | 'limitValue'> {
  const ended = (name: string, number: number) => signal === name || exitCode === 128 + number
  const { cpuSeconds, fileSizeBytes } = limits
  // SIGKILL comes at the hard limit to who ignores SIGXCPU.
  const cpuEnd = ended('SIGXCPU', 24) || ended('SIGKILL', 9)
  // The kernel counts what it enforces in its own way: on a loaded machine 0.8 s were seen at a limit of 1 s.
  if (cpuSeconds !== undefined && cpuEnd && cpuMs > cpuSeconds * 500) {
    return { limit: 'cpu', limitValue: cpuSeconds }
  }
  if (fileSizeBytes !== undefined && ended('SIGXFSZ', 25))
    return { limit: 'fileSize', limitValue: fileSizeBytes }
  return {}
}
