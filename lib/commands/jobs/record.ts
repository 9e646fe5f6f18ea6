// The files of a job besides its output: what it is (job.json), how it ended (exit.json), and what its sandbox has to say
// of it. The supervisor writes them.

import { messageOf } from '../../base/errors.js'
import { damages, readRegularFile } from '../../base/util/regular-file.js'
import type { SandboxEvents } from '../../processes/engine/completion.js'
import { exitStatuses, type JobExit } from '../../processes/engine/job-format/exit.js'
import type { TerminalSize } from '../../processes/engine/request.js'
import { maxTerminal } from '../../terminals/terminal/size.js'
import { directoryError, isJobId } from './directory.js'
import { confinedNames, type JobSandbox, maxNotesBytes, parseNotes } from './job-sandbox.js'

/** What TypeScript knows of a job before it starts. */
export interface JobDescription {
  id: string
  command: string
  /** Absolute path. */
  workingDir: string
  conversationId: string | null
  toolCallId: string | null
  /** Milliseconds since the epoch. */
  createdAt: number
  /** The boot in which the start times count. */
  bootId: string
  /**
   * The PID namespace of its processes, the number in /proc/PID/ns/pid; 0 where there are none. Null when it is not
   * known, and in records of earlier versions.
   */
  pidNamespace: number | null
  /** Milliseconds after which it is killed; 0 for never. */
  timeoutMs: number
  /** The size that its output file is kept below, bytes. */
  maxOutputBytes: number
  /** Whether it began as a foreground command that left processes behind. */
  adopted: boolean
  /** The size that its terminal had at first; none: it has no terminal. */
  terminal?: TerminalSize
}

/** job.json */
export interface JobRecord extends JobDescription {
  /** What confines it; none in Unrestricted mode. */
  sandbox?: JobSandbox
  /** Of bash; for an adopted job bash has ended, and its process group may live on. */
  pid: number
  pgid: number
  /** Of bash, clock ticks since boot; 0 for an adopted job. */
  startTime: number
  /** `locksOutput`: until it ends it holds a lock on the output file (flock(2)). */
  supervisor: { pid: number; startTime: number; locksOutput?: boolean }
}

/** A file that was read: what it says, or why it says nothing or may not be read. */
export interface Parsed<Value> {
  value?: Value
  problem?: string
  unread?: boolean
}

/** A command of 4 MiB, each of its bytes written as \u0000, and the rest. */
const maxRecordBytes = 32 * 1024 * 1024

/** @returns undefined when there is no such file */
export function readRecord(path: string): Parsed<JobRecord> | undefined {
  return readJson(path, parseRecord)
}

/** @returns undefined when there is no such file */
export function readExit(path: string): Parsed<JobExit> | undefined {
  return readJson(path, parseExit)
}

/** What the sandbox has noted so far. @returns undefined when there is no such file: it has had nothing to say */
export function readNotes(path: string): Parsed<SandboxEvents> | undefined {
  return readStateFile(path, maxNotesBytes, parseNotes)
}

function readJson<Value>(path: string, parse: (fields: Fields) => Value): Parsed<Value> | undefined {
  return readStateFile(path, maxRecordBytes, (bytes) => parse(parseObject(bytes)))
}

/** @throws when it is not the JSON text of an object */
export function parseObject(bytes: Buffer): Fields {
  const parsed: unknown = JSON.parse(bytes.toString('utf8'))
  if (typeof parsed !== 'object' || parsed === null) throw new Error('not an object')
  return new Fields(parsed as Record<string, unknown>)
}

/** Reads a file that only its owner should have written, but that any of his commands may have: it is never trusted. */
export function readStateFile<Value>(
  path: string,
  maxBytes: number,
  parse: (bytes: Buffer) => Value,
): Parsed<Value> | undefined {
  try {
    return { value: parse(readRegularFile(path, maxBytes)) }
  } catch (error) {
    const { code, errno } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (errno !== undefined && !damages.has(code)) throw directoryError('read', path, error)
    const problem = `${path}: ${messageOf(error)}`
    return code === 'EACCES' || code === 'EPERM' ? { problem, unread: true } : { problem }
  }
}

/** Typed access to an object of unknown content. Fields that nobody asks for do no harm. */
export class Fields {
  readonly #values: Record<string, unknown>

  constructor(values: Record<string, unknown>) {
    this.#values = values
  }

  text(name: string): string {
    const value = this.#values[name]
    if (typeof value !== 'string') throw new Error(`${name} is not a string`)
    return value
  }

  textOrNull(name: string): string | null {
    return this.#values[name] === null ? null : this.text(name)
  }

  /** @param missing what it means that there is none: a record of an earlier version */
  flag(name: string, missing?: boolean): boolean {
    const value = this.#values[name] ?? missing
    if (typeof value !== 'boolean') throw new Error(`${name} is not a boolean`)
    return value
  }

  integer(name: string, minimum = 0): number {
    const value = this.#values[name]
    if (!Number.isSafeInteger(value) || (value as number) < minimum) {
      throw new Error(`${name} is not an integer of at least ${minimum}`)
    }
    return value as number
  }

  /** @param missing as for {@link flag} */
  integerOrNull(name: string, missing?: null): number | null {
    const value = this.#values[name] === undefined ? missing : this.#values[name]
    return value === null ? null : this.integer(name)
  }

  texts(name: string): string[] {
    const value = this.#values[name]
    if (Array.isArray(value) && value.every((text): text is string => typeof text === 'string')) return value
    throw new Error(`${name} is not an array of strings`)
  }

  isNull(name: string): boolean {
    return this.#values[name] === null
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined
  }

  object(name: string): Fields {
    const value = this.#values[name]
    if (typeof value !== 'object' || value === null) throw new Error(`${name} is not an object`)
    return new Fields(value as Record<string, unknown>)
  }
}

/** No process that a record may name: 0 and 1 are not ours to look at, let alone to signal. */
const leastPid = 2

function parseRecord(fields: Fields): JobRecord {
  const id = fields.text('id')
  if (!isJobId(id)) throw new Error('id is not the id of a job')
  const supervisor = fields.object('supervisor')
  return {
    id,
    command: fields.text('command'),
    workingDir: fields.text('workingDir'),
    conversationId: fields.textOrNull('conversationId'),
    toolCallId: fields.textOrNull('toolCallId'),
    createdAt: fields.integer('createdAt'),
    bootId: fields.text('bootId'),
    pidNamespace: fields.integerOrNull('pidNamespace', null),
    timeoutMs: fields.integer('timeoutMs'),
    maxOutputBytes: fields.integer('maxOutputBytes'),
    adopted: fields.flag('adopted'),
    ...(fields.has('terminal') && { terminal: parseTerminal(fields.object('terminal')) }),
    pid: fields.integer('pid', leastPid),
    pgid: fields.integer('pgid', leastPid),
    startTime: fields.integer('startTime'),
    supervisor: {
      pid: supervisor.integer('pid', leastPid),
      startTime: supervisor.integer('startTime', 1),
      ...(supervisor.flag('locksOutput', false) && { locksOutput: true }),
    },
    ...(fields.has('sandbox') && { sandbox: parseSandbox(fields.object('sandbox')) }),
  }
}

const parseTerminal = (fields: Fields): TerminalSize => ({
  rows: Math.min(fields.integer('rows', 1), maxTerminal.rows),
  cols: Math.min(fields.integer('cols', 1), maxTerminal.cols),
})

function parseSandbox(fields: Fields): JobSandbox {
  const name = confinedNames.find((known) => known === fields.text('name'))
  if (name === undefined) throw new Error(`sandbox is not one of ${confinedNames.join(', ')}`)
  return {
    name,
    shell: fields.text('shell'),
    writable: fields.texts('writable'),
    unreadable: fields.texts('unreadable'),
    ...(fields.has('cacheDirectory') && { cacheDirectory: fields.text('cacheDirectory') }),
    sharedMemory: fields.flag('sharedMemory'),
    loopback: fields.flag('loopback'),
    unixSockets: fields.flag('unixSockets'),
    domains: fields.texts('domains'),
    scratchDirectory: fields.text('scratchDirectory'),
  }
}

export function parseExit(fields: Fields): JobExit {
  const status = exitStatuses.find((known) => known === fields.text('status'))
  if (status === undefined) throw new Error(`status is not one of ${exitStatuses.join(', ')}`)
  return {
    status,
    exitCode: fields.integerOrNull('exitCode'),
    signal: fields.textOrNull('signal'),
    endedAt: fields.integer('endedAt'),
    outputBytes: fields.integer('outputBytes'),
    droppedBytes: fields.integer('droppedBytes'),
    lostBytes: fields.integer('lostBytes'),
    lostErrno: fields.integer('lostErrno'),
    userMs: fields.integer('userMs'),
    systemMs: fields.integer('systemMs'),
    maxRssBytes: fields.integer('maxRssBytes'),
    statusLineBytes: fields.integer('statusLineBytes'),
    ...(fields.has('lostNotes') && { lostNotes: fields.integer('lostNotes') }),
  }
}
