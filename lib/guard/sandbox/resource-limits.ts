// Resource limits of a command: setrlimit(2).

import { checkInteger, checkObject } from '../../base/util/invalid-input.js'
import { humanizeBytes } from '../../processes/output/bytes.js'
import type { ReachedLimit } from './findings.js'
import type { SandboxName } from './policy.js'

/** A limit above this process's own hard limit is lowered to it. In a sandbox all of them have the defaults of Restricted mode. */
export interface ResourceLimits {
  /** CPU time of each process, seconds, 1…31536000; at the limit SIGXCPU, five seconds later SIGKILL. Restricted: 3600. */
  cpuSeconds?: number
  /**
   * Data segment and private mappings of each process, bytes, 1 MiB or more (RLIMIT_DATA). Shared mappings and memory
   * files do not count: what bounds all of it is a control group. Restricted: 4 GiB.
   */
  memoryBytes?: number
  /** Size of a file that is written, bytes; beyond it SIGXFSZ. Restricted: 1 GiB. */
  fileSizeBytes?: number
  /** Open descriptors of each process, 16…1048576. Restricted: 1024, which the command may raise as far as we may. */
  openFiles?: number
  /**
   * Processes and threads, 1…1000000, on top of those that run when the command starts (RLIMIT_NPROC): a backstop
   * against fork bombs. The kernel counts per user, all programs of the user together, so the sum is never below 4096;
   * for root it does not count at all. Restricted: 4096.
   */
  processes?: number
}

const ranges: Record<keyof ResourceLimits, readonly [minimum: number, maximum: number]> = {
  cpuSeconds: [1, 31_536_000],
  memoryBytes: [1024 * 1024, Number.MAX_SAFE_INTEGER],
  fileSizeBytes: [0, Number.MAX_SAFE_INTEGER],
  openFiles: [16, 1_048_576],
  processes: [1, 1_000_000],
}

const gib = 1024 ** 3

/** RLIMIT_AS is none of them: node, java and WebAssembly reserve far more address space than they use. */
const restrictedDefaults: Required<ResourceLimits> = {
  cpuSeconds: 3600,
  memoryBytes: 4 * gib,
  fileSizeBytes: gib,
  openFiles: 1024,
  processes: 4096,
}

// RLIMIT_* of <asm-generic/resource.h>, which x86-64 and arm64 share.
const resource = { cpu: 0, fileSize: 1, data: 2, core: 4, processes: 6, openFiles: 7 }

/** @throws {BashError} ERR_INVALID_INPUT */
export function checkLimits(field: string, value: unknown): ResourceLimits {
  if (value === undefined) return {}
  const limits = checkObject(field, value, Object.keys(ranges))
  for (const [name, range] of Object.entries(ranges)) {
    if (limits[name] !== undefined) checkInteger(`${field}.${name}`, limits[name], range)
  }
  return limits
}

/** The limits in force in a sandbox: the defaults, but for what the caller sets. */
export function restrictedLimits(limits: ResourceLimits): Required<ResourceLimits> {
  const set = Object.entries(limits).filter(([, limit]) => limit !== undefined)
  return { ...restrictedDefaults, ...Object.fromEntries(set) }
}

/**
 * Resource, soft and hard limit, three numbers each, as the addon takes them.
 *
 * @param limits those that the caller sets
 */
export function encodeLimits(limits: ResourceLimits, sandbox: SandboxName = 'unrestricted'): number[] {
  const isConfined = sandbox !== 'unrestricted'
  const { cpuSeconds, memoryBytes, fileSizeBytes, openFiles, processes } = isConfined
    ? restrictedLimits(limits)
    : limits
  const encoded: number[] = []
  // SIGXCPU at the soft limit tells what happened; the hard one is for who ignores it.
  if (cpuSeconds !== undefined) encoded.push(resource.cpu, cpuSeconds, cpuSeconds + 5)
  if (memoryBytes !== undefined) encoded.push(resource.data, memoryBytes, memoryBytes)
  if (fileSizeBytes !== undefined) encoded.push(resource.fileSize, fileSizeBytes, fileSizeBytes)
  if (openFiles !== undefined) {
    // The supervisor lowers a hard limit to the present one. node and java raise the soft one for themselves.
    encoded.push(resource.openFiles, openFiles, limits.openFiles ?? Number.MAX_SAFE_INTEGER)
  }
  if (processes !== undefined) encoded.push(resource.processes, processes, processes)
  // No core file. Where the hard limit allows 1, that also keeps it from a program that core_pattern names (core(5)).
  if (isConfined) encoded.push(resource.core, 1, 1)
  return encoded
}

/** Such as `CPU time limit of 60s reached`; undefined when none was. */
export function limitMessage({ limit, limitValue = 0 }: ReachedLimit): string | undefined {
  switch (limit) {
    case 'cpu':
      return `CPU time limit of ${limitValue}s reached`
    case 'fileSize':
      return `file size limit of ${humanizeBytes(limitValue)} reached`
    case 'scratch':
      return `scratch directory limit of ${humanizeBytes(limitValue)} reached`
    case 'memory':
      return `memory limit of ${humanizeBytes(limitValue)} reached`
    case 'processes':
      return `limit of ${limitValue} processes reached`
    default:
      return undefined
  }
}
