// What is taken out of the output of a job. Its file has it as it came, and no value is written to a disk beside it: so what
// counts is what this process's environment has today.

import type { FileHandle } from 'node:fs/promises'
import type { SandboxEvents } from '../engine/engine.js'
import { CommandEnvironment } from '../environment/command-environment.js'
import { checkEnvironmentOptions, type EnvironmentOptions } from '../environment/environment-options.js'
import { withheldByAny } from '../environment/login-secrets.js'
import { checkRedact, type RedactOptions } from '../environment/redact-option.js'
import type * as Redactors from '../environment/redactor.js'
import { leastPiece } from '../output/redact/finder.js'
import type { Found } from '../output/redact/found.js'
import type { Redactor } from '../output/redact/redactor.js'
import { checkObject } from '../util/invalid-input.js'
import { part } from '../util/load-part.js'
import { readBytes } from './extent.js'

export interface RedactJobOptions extends RedactOptions {
  /** The option `env` of the tool that has started it. Default: that of the bash tool. */
  env?: EnvironmentOptions | undefined
}

const redactors = part((): typeof Redactors => require('../environment/redactor.js'))

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

/**
 * What is to be taken out of a part of a file, with a look at what is around it.
 *
 * @param isOpen the file may go on behind what it has
 */
export async function findInPart(
  file: FileHandle,
  { from, to, isOpen }: { from: number; to: number; isOpen: boolean },
  redactor: Redactor,
): Promise<FoundPart> {
  const begin = Math.max(0, from - redactor.reach)
  const around = await readBytes(file, begin, to + redactor.reach)
  const before = from - begin
  const found = isOpen ? redactor.findBeforeGap(around) : redactor.find(around)
  const cut = isOpen ? redactor.unfinishedStart(around) : around.length
  // A few bytes tell nothing, and are taken out once the rest is there.
  const unfinished = around.length - cut < leastPiece ? to : begin + cut
  return {
    found: found.map(({ start, end, name }) => ({ start: start - before, end: end - before, name })),
    unfinished: Math.max(0, Math.min(unfinished, to) - from),
  }
}
