// What start-up files make of the environment, asked once for each directory and sandbox until one of those files changes.
// Loaded with the first command that wants it.

import { homeDirectory } from '../../../base/util/directories.js'
import { crypto } from '../../../base/util/lazy.js'
import { onAbort } from '../../../base/util/listeners.js'
import { policyKey } from '../../../guard/sandbox/policy.js'
import type { CommandEnvironment } from '../../../processes/environment/command-environment.js'
import { loginEnvironmentOf } from '../../../processes/environment/login/login-environment.js'
import type { Variables } from '../../../processes/environment/login/snapshot-text.js'
import { startUpFilesVersion } from '../../../processes/environment/login/start-up-files.js'
import type { ResolvedOptions } from '../resolved-options.js'
import { type BashResult, elapsedMs } from '../result.js'
import { type Snapshot, takeSnapshot } from './snapshot.js'

export interface LoginEnvironment {
  environment: CommandEnvironment
  /** Adds to the result of a command what there is to say of it. */
  tell<Result extends BashResult>(result: Result): Result
}

/** Of a session what its first call has counts to its end. */
export interface SessionState {
  session: object
  /** Its states have nothing in common. */
  state: string
}

/** @param options with the directory in which the login shell is asked. Aborting their signal ends the waiting only */
export async function loginEnvironment(
  options: ResolvedOptions,
  beginning?: SessionState,
): Promise<LoginEnvironment> {
  const startedAt = performance.now()
  const { environment: base, cancelSignal } = options
  const known = beginning && stateOf(beginning).get(base)
  if (known !== undefined) return { environment: loginEnvironmentOf(base, known), tell: (result) => result }
  const snapshot = await snapshotFor(options, cancelSignal)
  const { variables, error } = snapshot ?? {}
  if (beginning !== undefined && variables !== undefined) stateOf(beginning).set(base, variables)
  const waitedMs = elapsedMs(startedAt)
  return {
    environment: variables === undefined ? base : loginEnvironmentOf(base, variables),
    tell(result) {
      if (error !== undefined) result.loginError = error
      if (result.durationMs > 0) result.durationMs = Math.round((result.durationMs + waitedMs) * 1000) / 1000
      return snapshot === undefined ? result : tellChanges(result, snapshot)
    },
  }
}

/** Once: the next call finds the files as they are. */
function tellChanges<Result extends BashResult>(result: Result, snapshot: Snapshot): Result {
  const { changed, changedDropped } = snapshot
  snapshot.changed = []
  snapshot.changedDropped = 0
  if (changed.length > 0)
    result.protectedChanged = [...new Set([...changed, ...(result.protectedChanged ?? [])])]
  if (changedDropped > 0) result.protectedDropped = (result.protectedDropped ?? 0) + changedDropped
  return result
}

const ofSessions = new WeakMap<object, Map<string, WeakMap<CommandEnvironment, Variables>>>()

function stateOf({ session, state }: SessionState): WeakMap<CommandEnvironment, Variables> {
  const states = ofSessions.get(session) ?? new Map<string, WeakMap<CommandEnvironment, Variables>>()
  ofSessions.set(session, states)
  const known = states.get(state) ?? new WeakMap<CommandEnvironment, Variables>()
  states.set(state, known)
  return known
}

interface Entry {
  version: string
  taking: Promise<Snapshot>
  /** Undefined as long as the login shell runs. */
  ended: { snapshot: Snapshot; at: number } | undefined
  waiting: number
  abort: AbortController
}

/** The one that was asked for last comes last. */
const entries = new Map<string, Entry>()
const maxEntries = 32
/** Milliseconds after which a login shell that has failed is tried again: the machine may have been busy. */
const failureLasts = 30_000

/** @returns undefined when the signal was aborted before it was there */
async function snapshotFor(
  options: ResolvedOptions,
  signal: AbortSignal | undefined,
): Promise<Snapshot | undefined> {
  if (signal?.aborted === true) return undefined
  const { cwd, environment } = options
  const { home = homeDirectory() } = environment.current()
  const key = keyOf(options)
  const version = startUpFilesVersion(home, cwd)
  const before = entries.get(key)
  const entry = before !== undefined && isValid(before, version) ? before : begin(options, version, before)
  entries.delete(key)
  entries.set(key, entry)
  if (entries.size > maxEntries) dropOldest()
  entry.waiting++
  try {
    return await unlessAborted(entry.taking, signal)
  } finally {
    entry.waiting--
    if (entry.waiting === 0 && entry.ended === undefined) {
      entry.abort.abort()
      if (entries.get(key) === entry) entries.delete(key)
    }
  }
}

function isValid({ version, ended }: Entry, current: string): boolean {
  if (version !== current) return false
  return ended?.snapshot.error === undefined || performance.now() - ended.at < failureLasts
}

/** One login shell at a time: files may have changed while one was asked. */
function begin(options: ResolvedOptions, version: string, before: Entry | undefined): Entry {
  const abort = new AbortController()
  const own = { ...options, cancelSignal: undefined, onOutput: undefined }
  const take = () => takeSnapshot(own, abort.signal)
  const taking = before === undefined || before.ended !== undefined ? take() : before.taking.then(take)
  const entry: Entry = { version, taking, ended: undefined, waiting: 0, abort }
  void taking.then((snapshot) => {
    entry.ended = { snapshot, at: performance.now() }
  })
  return entry
}

/** Those that are being waited for stay. */
function dropOldest(): void {
  for (const [key, { ended }] of entries) {
    if (ended === undefined) continue
    entries.delete(key)
    return
  }
}

/** What the answer depends on besides the files. */
function keyOf({ cwd, environment, policy, ...options }: ResolvedOptions): string {
  const { sandbox, policyBase, scratch, required, limits, shellPath = '' } = options
  const parts = [cwd, shellPath, sandbox, policy && policyKey(policy), policyBase, scratch, required, limits]
  return crypto()
    .createHash('sha256')
    .update(JSON.stringify(parts))
    .update(environment.current().encoded)
    .digest('hex')
}

async function unlessAborted(
  taking: Promise<Snapshot>,
  signal: AbortSignal | undefined,
): Promise<Snapshot | undefined> {
  let release = () => {}
  const aborted = new Promise<undefined>((resolve) => {
    release = onAbort(signal, () => resolve(undefined))
  })
  try {
    return await Promise.race([taking, aborted])
  } finally {
    release()
  }
}
