// The mark of a call: a file of 1 KiB that its supervisor makes before the shell starts. See supervisor/call_mark.h.

import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { bootId } from '../jobs/identity.js'
import { directoryError } from './errors.js'

const endAt = 512

/** What the host says of a call. */
export interface MarkRecord {
  digest: string
  /** Of each attempt to make it another one. */
  nonce: string
  /** As Date.now() gives it. */
  createdAt: number
  bootId: string
  /** Milliseconds since that boot, those in which the machine slept included; null where that is not known. */
  bootedMs: number | null
}

export interface CallEnd {
  kind: 'ended' | 'timed_out' | 'cancelled' | 'host_gone' | 'not_started' | 'background'
  /** Null when a signal ended the shell. */
  exitCode: number | null
  /** 0: none. */
  signal: number
  /** Why it could not be started. */
  errno: number
  /** The id of the job that it has become. */
  job: string | undefined
}

export interface Mark extends MarkRecord {
  end: CallEnd | undefined
}

/** What the supervisor is told: the record, and where it goes. */
export function markText(path: string, digest: string, nonce: string): string {
  const record: MarkRecord = { digest, nonce, createdAt: Date.now(), bootId: bootId(), bootedMs: bootedMs() }
  return `${JSON.stringify({ version: 1, ...record })}\n${path}`
}

/** CLOCK_BOOTTIME. */
export function bootedMs(): number | null {
  try {
    const seconds = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0])
    return Number.isFinite(seconds) ? Math.round(seconds * 1000) : null
  } catch {
    return null
  }
}

/**
 * @returns undefined when there is none; `'damaged'` for what no supervisor has written
 * @throws {BashError} ERR_CALL_DIRECTORY
 */
export function readMark(path: string): Mark | 'damaged' | undefined {
  let text: string
  try {
    text = readFileSync(path, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw directoryError('read', path, error)
  }
  try {
    const { version, digest, nonce, createdAt, bootId, bootedMs } = JSON.parse(text.slice(0, endAt))
    const isRecord =
      version === 1 &&
      typeof digest === 'string' &&
      typeof nonce === 'string' &&
      typeof createdAt === 'number' &&
      typeof bootId === 'string' &&
      (bootedMs === null || typeof bootedMs === 'number')
    if (!isRecord) return 'damaged'
    return { digest, nonce, createdAt, bootId, bootedMs, end: readEnd(text.slice(endAt)) }
  } catch {
    return 'damaged'
  }
}

const endLine =
  /^(end (ended|timed_out|cancelled|host_gone|not_started|background) (-?\d+) (\d+) (\S+) )(\d+)\n/

function readEnd(text: string): CallEnd | undefined {
  const [, line = '', kind, status, errno, job = '-', checksum] = endLine.exec(text) ?? []
  if (kind === undefined || checksumOf(line) !== Number(checksum)) return undefined
  return {
    kind: kind as CallEnd['kind'],
    ...exitOf(Number(status)),
    errno: Number(errno),
    job: job === '-' ? undefined : job,
  }
}

/** Of a status as wait(2) gives it. */
function exitOf(status: number): Pick<CallEnd, 'exitCode' | 'signal'> {
  const signal = status & 0x7f
  return signal === 0 ? { exitCode: (status >> 8) & 0xff, signal } : { exitCode: null, signal }
}

/** FNV-1a. */
function checksumOf(line: string): number {
  let hash = 2166136261
  for (let at = 0; at < line.length; at += 1) hash = Math.imul(hash ^ line.charCodeAt(at), 16777619)
  return hash >>> 0
}

/** Whether an error says that the call had started before. */
export function isTaken(error: unknown): boolean {
  const { step, errno } = error as { step?: unknown; errno?: unknown }
  return step === markStep && errno === constants.errno.EEXIST
}

/** As the addon names it. */
export const markStep = 'make call mark'
