// Names what the sandbox refused a command. Loaded when there is something to be named.

import { callsOf, toldCause, untoldCause } from './denial.js'
import { Judge, type Kind, type Named } from './denial-judge.js'
import { refusedLines } from './denial-lines.js'
import { brokerOperations, isSocketOperation } from './denial-operations.js'
import type { Cause } from './denial-patterns.js'
import type { ConfinedRun, ExaminedRun } from './denial-scope.js'
import { searchedIn, suspicious } from './denial-signs.js'
import type { Denial } from './denials.js'
import type { DenialFields } from './findings.js'
import { isNamedIn, isOfProxy, isSameHost, isUnasked } from './network-denials.js'

const maxDenials = 32

/** The fields of a result that tell what the sandbox refused. */
export function nameDenials(run: ConfinedRun): DenialFields {
  const { plan, report } = run
  const examined: ExaminedRun = { ...run, calls: callsOf(run.command) }
  const judge = new Judge(examined)
  const certain = (report?.denials ?? [])
    .map((event) => judge.reported(event))
    .filter((each) => isTold(each, run))
  const found = plan.writable.length > 0 ? byPath : byCause
  const named = distinct(found(examined, judge, certain))
  const fields: DenialFields = {}
  const [first] = named
  if (first !== undefined) {
    fields.denied = first.sentence
    fields.denials = named.slice(0, maxDenials).map(({ denial }) => denial)
  }
  const dropped = Math.max(0, named.length - maxDenials) + (report?.denialsDropped ?? 0)
  if (dropped > 0) fields.denialsDropped = dropped
  return fields
}

/**
 * Where nothing can be written the cause alone tells what was refused, and one of them is told; but for what cannot be
 * read, which its path tells.
 */
function* byCause(
  run: ExaminedRun,
  judge: Judge,
  certain: readonly Named[],
): Generator<Named, void, undefined> {
  yield* certain
  const told = toldCause(run) ?? untoldCause(run, run.plan.scratchDirectory !== '')
  const isRead = told?.line !== undefined && judge.read(told.line) !== undefined
  if (told !== undefined && !isRead) {
    const named = run.plan.loopback || certain.length > 0 ? judge.byPath(told) : judge.named(told)
    if (named !== undefined && !certain.some((known) => isAbout(known, named))) yield named
  }
  if (run.plan.unreadable.length > 0) yield* reads(run, judge)
}

function* reads(run: ExaminedRun, judge: Judge): Generator<Named, void, undefined> {
  for (const { line } of refusedLines(run, judge.isRead)) {
    const named = judge.read(line)
    if (named !== undefined) yield named
  }
}

/**
 * Where something can be written, what the broker has refused is certain. What the output speaks of comes first: it is
 * what the command has failed at, and a program may shrug off the rest.
 */
function* byPath(
  run: ExaminedRun,
  judge: Judge,
  certain: readonly Named[],
): Generator<Named, void, undefined> {
  yield* certain.filter(({ denial }) => isNamedIn(run.output, denial))
  yield* inferred(run, judge, certain)
  yield* certain
}

function* inferred(
  run: ExaminedRun,
  judge: Judge,
  certain: readonly Named[],
): Generator<Named, void, undefined> {
  let isTold = false
  let plain: Named | undefined
  // Of each of them there is a record.
  const isKnown = certain.some(({ denial }) => denial.operation === 'network')
  for (const { cause, line } of refusedLines(run, judge.kindOf)) {
    if (isKnown && isOfProxy(line)) continue
    const named = judgeLine(cause, line, judge)
    if (named === undefined || certain.some((known) => isAbout(known, named))) continue
    isTold = true
    if (cause === 'other') plain ??= named
    else yield named
  }
  if (plain !== undefined) yield plain
  const silent = isTold ? undefined : untoldCause(run, true)
  if (silent?.cause !== 'network') return
  const named = judge.silentNetwork(silent)
  if (named !== undefined && !certain.some((known) => isAbout(known, named))) yield named
}

function judgeLine(cause: Cause | Kind, line: string, judge: Judge): Named | undefined {
  if (cause === 'read' || cause === 'link' || cause === 'npm') return judge.special(cause, line)
  return judge.byPath({ cause, line })
}

/** What programs ask for unasked, and do without, is told only where the output speaks of it. */
function isTold({ denial }: Named, { output, exitCode }: ConfinedRun): boolean {
  if (!isUnasked(denial)) return true
  return denial.operation === 'socket'
    ? suspicious.test(searchedIn(output, exitCode))
    : isNamedIn(output, denial)
}

/** Whether a line tells of what the broker has refused: `touch` says only that it may not. */
function isAbout({ denial: known }: Named, { denial }: Named): boolean {
  const { operation, target } = denial
  if (isSameHost(known, denial)) return true
  const mayBeSocket = operation === 'network' || operation === 'other'
  if (mayBeSocket && isSocketOperation(known.operation)) return target === '' || target === known.target
  if (target === '') return known.operation === operation
  return known.target === target && (operation === 'write' || isFileOperation(operation))
}

function isFileOperation(operation: Denial['operation']): boolean {
  return (brokerOperations as readonly string[]).includes(operation)
}

function distinct(all: Iterable<Named>): Named[] {
  const found = new Map<string, Named>()
  for (const named of all) {
    const key = `${named.denial.operation}\n${named.denial.target}`
    if (!found.has(key)) found.set(key, named)
  }
  const named = [...found.values()]
  const isNamed = (operation: Denial['operation']) =>
    named.some(({ denial }) => denial.operation === operation && denial.target !== '')
  // One line of a failure has the name, the next one repeats that there was one.
  return named.filter(({ denial }) => denial.target !== '' || !isNamed(denial.operation))
}
