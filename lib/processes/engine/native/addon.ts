// The addon: where it is, and what it offers. engine.ts and syntax-tree.ts give it to everything else in lib/;
// guard/sandbox/seal-package.ts keeps it.

import { AsyncResource } from 'node:async_hooks'
import { createRequire } from 'node:module'
import { BashError, messageOf } from '../../../base/errors.js'
import { cureForMissingFiles } from '../../../base/util/bundled.js'
import { heedSeal } from '../../../base/util/load-part.js'
import type { Outcome, RunningProcess, SandboxEvents } from '../completion.js'
import type { OutputListener, SandboxSupport } from '../engine.js'
import { engineVariable, forcedEngine } from '../forced.js'
import { addonFiles, isOnNoexecMount, nativeRoots, platformName, supervisorOf } from './addon-files.js'

/** Values cross the Node-API boundary in a fixed order, without names. */
export interface Addon {
  start(
    texts: string,
    numbers: Float64Array,
    environment: Buffer,
    onCompletion: (...fields: CompletionFields | Question) => AdoptionFields | undefined,
    onOutput: OutputListener | undefined,
    prologue: Buffer | undefined,
    variables: string | undefined,
    input: Buffer | number | undefined,
  ): number
  signalProcess(pid: number, startTime: number, signal: number): number
  isLocked(path: string): number
  isOwned(path: string): number
  /** @returns what {@link unlockFile} takes, or a negative errno */
  lockFile(path: string): number
  unlockFile(lock: number): void
  /** @returns what {@link forgetExit} takes, or a negative errno */
  awaitExit(pid: number, onExit: () => void): number
  forgetExit(id: number): void
  cancel(id: number): void
  isReadable(descriptor: number): boolean
  /** @returns both ends, or a negative errno */
  makePipe(): [reader: number, writer: number] | number
  mountsVersion(): number
  otherNames(path: string): string[]
  mountsBelow(path: string): string[]
  /** @param paths joined by NULs */
  stampOf(paths: string): string
  environmentVersion(): number
  protectHost(): { environmentWiped: boolean; notDumpable: boolean }
  sandboxSupport(): SandboxSupport
  copySupervisor(path: string): void
  /** @returns 0, or an errno */
  sealPackage(supervisor: string, sources: string): number
  sealedAt(): number
  sealedSources(): string
  claimSandboxWarning(): boolean
  parse(text: string, deadlineMs: number): Int32Array | null
  parseAsync(text: string, deadlineMs: number, onTree: (tree: Int32Array | null) => void): void
  syntaxNames(): { kinds: string[]; fields: string[] }
}

/** The fields of a completion in the order of native/napi/convert.h. */
export type CompletionFields = [
  outcome: Outcome,
  pid: number,
  step: string | undefined,
  errno: number,
  exitCode: number | undefined,
  signal: number,
  userMs: number,
  systemMs: number,
  maxRssBytes: number,
  savedBytes: number,
  saveErrno: number,
  first: NativeStream | undefined,
  second: NativeStream | undefined,
  survivors: RunningProcess[] | undefined,
  adopted: boolean,
  state: Buffer | undefined,
  protections: number,
  confirmed: number,
  scratchFull: boolean,
  report: SandboxEvents | undefined,
  handOverStep: string | undefined,
  handOverErrno: number,
  isJob: boolean,
  mark: number,
]

/** For the job that survivors become; or, with `true`, for the one that the command becomes. */
export type Question = [] | [handOver: true]

export type AdoptionFields = [directory: string, description: string, outputLimit: number]

export type NativeStream = string | [head: Buffer, tail: Buffer, total: number]

/** The addon, and the absolute path of the supervisor that belongs to it. */
export interface LoadedAddon {
  addon: Addon
  supervisor: string
}

let loaded: LoadedAddon | undefined
let failure: unknown

/**
 * The addon, loaded at the first call.
 *
 * @throws {BashError} ERR_UNSUPPORTED_PLATFORM when it cannot be loaded. The message names the platform, what was
 *   tried, and why each of them failed; `cause` has the errors
 */
export function loadAddon(): LoadedAddon {
  // The parser asks for it at each check of a command, also where there is none.
  if (failure !== undefined) throw failure
  try {
    // Loaded in the context in which this module was: the addon keeps the one it finds, for good.
    loaded ??= moduleContext.runInAsyncScope(load)
    return loaded
  } catch (error) {
    failure = error
    throw error
  }
}

const moduleContext = new AsyncResource('bashward')

function load(): LoadedAddon {
  if (forcedEngine() === 'portable') throw unsupported(`${engineVariable} is portable`, [])
  if (process.platform !== 'linux') throw unsupported('the engine needs Linux', [])
  const roots: string[] = []
  const tried: string[] = []
  const failures: unknown[] = []
  for (const root of nativeRoots()) {
    roots.push(root)
    for (const file of addonFiles(root)) {
      try {
        const supervisor = supervisorOf(file)
        // Bundlers make something else of require() with a name that they cannot tell.
        const addon = createRequire(file)(file) as Addon
        addon.copySupervisor(supervisor)
        heedSeal(addon)
        return { addon, supervisor }
      } catch (failure) {
        failures.push(failure)
        tried.push(explain(file, failure))
      }
    }
  }
  if (tried.length > 0) throw unsupported(`tried ${tried.join('; ')}`, failures)
  throw unsupported(`nothing is built for it in ${roots.join(', ')}; ${cureForMissingFiles()}`, [])
}

/** What happened to a file, in one line. */
function explain(file: string, failure: unknown): string {
  const [line = ''] = messageOf(failure).split('\n')
  const reason = line.startsWith(`${file}: `) ? line.slice(file.length + 2) : line
  return `${file}: ${reason}${isOnNoexecMount(file) ? ' (its file system is mounted noexec)' : ''}`
}

function unsupported(reason: string, failures: unknown[]): BashError {
  const [platform, text] = [platformName(), `bashward's native engine cannot be loaded`]
  const cause = new AggregateError(failures, reason)
  return new BashError('ERR_UNSUPPORTED_PLATFORM', `${text}: this is ${platform}; ${reason}`, { cause })
}

// In a worker at once: later, its file may be what a command of another thread has left there, and so may those of the parts.
// To ask node:worker_threads would take a millisecond of every process.
if (Object.hasOwn(process.chdir ?? {}, 'disabled')) {
  try {
    loadAddon()
  } catch {
    // Whoever needs it gets the error.
  }
}
