// What is taken out of the output of a job. Its file has it as it came, and no value is written to a disk beside it: so what
// counts is what this process's environment has today.

import type { FileHandle } from 'node:fs/promises'
import { checkObject } from '../../base/util/invalid-input.js'
import { part } from '../../base/util/load-part.js'
import type { SandboxEvents } from '../../processes/engine/completion.js'
import { CommandEnvironment } from '../../processes/environment/command-environment.js'
import {
  checkEnvironmentOptions,
  type EnvironmentOptions,
} from '../../processes/environment/environment-options.js'
import { withheldByAny } from '../../processes/environment/login-secrets.js'
import { checkRedact, type RedactOptions } from '../../processes/environment/redact-option.js'
import type * as Redactors from '../../processes/environment/redactor.js'
import { leastPiece, shortWaitMs } from '../../processes/output/redact/finder.js'
import type { Found } from '../../processes/output/redact/found.js'
import type { Edges, Redactor } from '../../processes/output/redact/redactor.js'
import { type Content, readBytes } from './extent.js'

export interface RedactJobOptions extends RedactOptions {
  /** The option `env` of the tool that has started it. Default: that of the bash tool. */
  env?: EnvironmentOptions | undefined
}

const redactors = part((): typeof Redactors => require('../../processes/environment/redactor.js'))

const byDefault = new CommandEnvironment({})

/** @throws {BashError} ERR_INVALID_INPUT */
export function checkRedactJob(field: string, value: unknown): Redactor | undefined {
  if (typeof value !== 'object') return redactorOf(byDefault, checkRedact(field, value))
  const { env, tokens } = checkObject(field, value, ['env', 'tokens'])
  const checked = env === undefined ? undefined : checkEnvironmentOptions(env, `${field}.env`)
  const environment = checked === undefined ? byDefault : new CommandEnvironment(checked)
  return redactorOf(environment, checkRedact(field, { tokens }))
}

function redactorOf(
  environment: CommandEnvironment,
  { values, tokens }: ReturnType<typeof checkRedact>,
): Redactor | undefined {
  const withheld = values ? withheldByAny(environment.current().withheld) : undefined
  return withheld === undefined && !tokens ? undefined : redactors().redactorFor({ withheld, tokens })
}

/** With the names in them that a command has chosen. */
export function withoutSecrets(events: SandboxEvents, by: Redactor | 'byDefault' | undefined): SandboxEvents {
  if (by === undefined || events.denials.length + events.changed.length === 0) return events
  const redactor = by === 'byDefault' ? checkRedactJob('', true) : by
  if (redactor === undefined) return events
  return {
    ...events,
    denials: events.denials.map(({ operation, target }) => ({ operation, target: redactor.text(target) })),
    changed: events.changed.map((path) => redactor.text(path)),
  }
}

export interface FoundPart {
  /** From left to right, in offsets of the part: they may reach beyond it. */
  found: Found[]
  /** Where something begins in it that may go on behind what the file has: its length where nothing does. */
  unfinished: number
}

/** What is to be taken out of a part of a file, with a look at what is around it. */
export async function findInPart(
  file: FileHandle,
  { from, to }: { from: number; to: number },
  content: Content,
  redactor: Redactor,
): Promise<FoundPart> {
  const begin = Math.max(0, from - redactor.reach)
  const around = await readBytes(file, begin, Math.min(to + redactor.reach, content.end))
  const before = from - begin
  const isAtEnd = begin + around.length < to + redactor.reach
  const found = findBetweenGaps(around, redactor, {
    isBehindGap: begin === 0 && content.isBehindGap,
    isBeforeGap: isAtEnd && content.follows === 'gap',
  })
  const waiting =
    isAtEnd && content.follows === 'more' ? await waitingFrom(file, around, redactor) : undefined
  // What has been found there may be longer when more has come.
  const cut = waiting && (found.find((each) => each.start < waiting && each.end > waiting)?.start ?? waiting)
  const unfinished = cut === undefined ? to : begin + cut
  return {
    found: found.map(({ start, end, name }) => ({ start: start - before, end: end - before, name })),
    unfinished: Math.max(0, Math.min(unfinished, to) - from),
  }
}

/**
 * Where something begins at the end of what a job has printed so far that is not to be shown yet.
 *
 * @returns undefined where nothing does
 */
async function waitingFrom(file: FileHandle, bytes: Buffer, redactor: Redactor): Promise<number | undefined> {
  const { start, isShort } = redactor.unfinished(bytes)
  // A few bytes tell nothing, and are taken out once the rest is there.
  if (bytes.length - start < leastPiece) return undefined
  if (!isShort) return start
  const age = Date.now() - (await file.stat()).mtimeMs
  // A clock that was set back would have it wait for long.
  return age >= 0 && age < shortWaitMs ? start : undefined
}

/** What is to be taken out of bytes of an output file. Where it notes that something is missing, pieces are left. */
export function findBetweenGaps(bytes: Buffer, redactor: Redactor, edges: Edges): Found[] {
  const found: Found[] = []
  let start = 0
  let { isBehindGap } = edges
  const add = (end: number, isBeforeGap: boolean) => {
    for (const each of redactor.findIn(bytes.subarray(start, end), { isBehindGap, isBeforeGap })) {
      found.push({ ...each, start: start + each.start, end: start + each.end })
    }
  }
  for (const gap of gapsIn(bytes)) {
    add(gap.start, true)
    start = gap.end
    isBehindGap = true
  }
  add(bytes.length, edges.isBeforeGap)
  return found
}

/** How native/supervisor/job_output.cc and native/process/handed_output.cc write what is missing. */
const noticeEnds = [' bytes dropped]\n\n', ' bytes could not be written]\n\n'].map((text) =>
  Buffer.from(text),
)
const noticeStart = /\n\n\[\d{1,20}$/
const longestStart = 23

function gapsIn(bytes: Buffer): { start: number; end: number }[] {
  const gaps: { start: number; end: number }[] = []
  for (const ending of noticeEnds) {
    for (let at = bytes.indexOf(ending); at >= 0; at = bytes.indexOf(ending, at + 1)) {
      const start = noticeStart.exec(bytes.toString('latin1', Math.max(0, at - longestStart), at))?.[0]
      if (start !== undefined) gaps.push({ start: at - start.length, end: at + ending.length })
    }
  }
  return gaps.sort((a, b) => a.start - b.start)
}
