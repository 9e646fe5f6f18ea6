// The mark of a call: the first KiB of a file that its supervisor makes before the shell starts. See supervisor/call_mark.h.

import { closeSync, readSync } from 'node:fs'
import { constants, uptime } from 'node:os'
import { bootId as bootOf } from '../../base/util/process-identity.js'
import { damages, openRegularFile } from '../../base/util/regular-file.js'
import { directoryError } from './errors.js'

const endAt = 512
/** Behind it the host puts the result. */
export const markBytes = 1024

/** When something was, by clocks of which one may jump. */
export interface Moment {
  /** As Date.now() gives it. */
  createdAt: number
  /** Null where it is not known. */
  bootId: string | null
  /** Milliseconds since that boot, those in which the machine slept included. */
  bootedMs: number
}

/** What the host says of a call. */
export interface MarkRecord extends Moment {
  digest: string
  /** Of each attempt to make it another one. */
  nonce: string
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
  const record: MarkRecord = { digest, nonce, ...thisMoment() }
  return `${withChecksum(JSON.stringify({ version: 2, ...record }))}\n${path}`
}

export const thisMoment = (): Moment => ({ createdAt: Date.now(), bootId: bootId(), bootedMs: bootedMs() })

const bootedMs = (): number => Math.round(uptime() * 1000)

/** Without /proc, or a descriptor to read it with, it is not known. */
function bootId(): string | null {
  try {
    const id = bootOf()
    return id === 'unknown' ? null : id
  } catch {
    return null
  }
}

/**
 * Whether a call began longer ago, say: by the clock and, unless that was in an earlier boot, by the time that has passed since.
 * Clocks jump.
 */
export function isOlderThan({ createdAt, bootId: boot, bootedMs: then }: Moment, ageMs: number): boolean {
  if (Date.now() - createdAt <= ageMs) return false
  const [now, here] = [bootedMs(), bootId()]
  const isOfEarlierBoot = boot !== null && here !== null ? boot !== here : now < then
  return isOfEarlierBoot || now - then > ageMs
}

/**
 * @returns undefined when there is none; `'damaged'` for what no supervisor has written
 * @throws {BashError} ERR_CALL_DIRECTORY
 */
export function readMark(path: string): Mark | 'damaged' | undefined {
  let text: string
  try {
    text = readStart(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (damages.has(code)) return 'damaged'
    throw directoryError('read', path, error)
  }
  try {
    const line = withoutChecksum(text.slice(0, endAt).trimEnd(), ' ')
    const { version, digest, nonce, createdAt, bootId, bootedMs } = JSON.parse(line ?? '')
    const isRecord =
      (version === 1 || version === 2) &&
      typeof digest === 'string' &&
      typeof nonce === 'string' &&
      typeof createdAt === 'number' &&
      (bootId === null || typeof bootId === 'string') &&
      typeof bootedMs === 'number'
    if (!isRecord) return 'damaged'
    return { digest, nonce, createdAt, bootId, bootedMs, end: readEnd(text.slice(endAt)) }
  } catch {
    return 'damaged'
  }
}

function readStart(path: string): string {
  const file = openRegularFile(path)
  try {
    const bytes = Buffer.alloc(markBytes)
    return bytes.toString('latin1', 0, readSync(file, bytes, 0, markBytes, 0))
  } finally {
    closeSync(file)
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

/** Tells a bit that a disk has flipped. */
export const withChecksum = (json: string, separator = ' '): string =>
  `${json}${separator}${checksumOf(Buffer.from(json).toString('latin1'))}`

/**
 * @param latin1 a character for each byte
 * @returns undefined where the checksum is wrong. What version 1 has written has none
 */
export function withoutChecksum(latin1: string, separator: string): string | undefined {
  const end = latin1.lastIndexOf('}') + 1
  const [json, rest] = [latin1.slice(0, end), latin1.slice(end)]
  return rest === '' || rest === `${separator}${checksumOf(json)}` ? json : undefined
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
