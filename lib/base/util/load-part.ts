// Parts of the package that are loaded when they are needed.

import { BashError, messageOf, systemError } from '../errors.js'
import { bundleHint, isBundled } from './bundled.js'
import { loadFrom, noLongerLoaded, type Sources } from './kept-sources.js'
import { once } from './lazy.js'

/**
 * Gives what `load` requires, from then on without asking again.
 *
 * @returns a function that throws a BashError when the part cannot be loaded: ERR_SPAWN with step, errno and path when
 *   its file cannot be opened or read (no descriptor is left), ERR_INTERNAL otherwise. The next call tries again
 */
export function part<Module>(load: () => Module): () => Module {
  return register({ load, required: true, explain: asBashError })
}

/**
 * The same for what only some texts or systems need, and not every runtime can load: its errors are those of `load`.
 */
export function optionalPart<Module>(load: () => Module): () => Module {
  return register({ load, required: false, explain: (error) => error })
}

interface Part<Module> {
  load: () => Module
  required: boolean
  explain: (error: unknown) => unknown
}

/** What the threads of a process know of each other. */
interface Seal {
  /** In milliseconds of the monotonic clock; 0 where no thread has sealed the package. */
  sealedAt(): number
  /** A JSON object: the path of each file of dist/, or the name of a dependency, and its source at that time. */
  sealedSources(): string
}

const loadedAt = Number(process.hrtime.bigint()) / 1e6
let seal: Seal | undefined

/** From now on, what another thread has sealed since this one loaded the package is loaded from what it has kept. */
export function heedSeal(given: Seal): void {
  seal = given
}

/** Undefined where the files are as good as what this thread has loaded already. */
const keptSources = (): Sources | undefined =>
  seal === undefined || seal.sealedAt() <= loadedAt ? undefined : parsed(seal)

const parsed = ({ sealedSources }: Seal): Sources => {
  sources ??= JSON.parse(sealedSources() || '{}') as Sources
  return sources
}
let sources: Sources | undefined

const known: { get: () => unknown; required: boolean }[] = []
let sealed = false

function register<Module>({ load, required, explain }: Part<Module>): () => Module {
  const get = once(() => {
    if (sealed) throw tooLate()
    try {
      const kept = keptSources()
      return kept === undefined ? load() : loadFrom(kept, load)
    } catch (error) {
      throw explain(error)
    }
  })
  known.push({ get, required })
  return get
}

/**
 * Loads every part at once, so that none is loaded from a file that has changed meanwhile: what cannot be loaded now will
 * not be loaded later, either.
 *
 * @throws {BashError} as the functions of {@link part}; then nothing is sealed
 */
export function loadAllParts(): void {
  // The list grows meanwhile: parts have parts.
  for (const { get, required } of known) {
    try {
      get()
    } catch (error) {
      if (required) throw error
    }
  }
  sealed = true
}

const tooLate = (): BashError => new BashError('ERR_INTERNAL', `a part of bashward ${noLongerLoaded}`)

function asBashError(error: unknown): BashError {
  const { syscall, errno, path } = error as NodeJS.ErrnoException
  if (syscall !== undefined && errno !== undefined) {
    // libuv's numbers are negative.
    const failure = { step: syscall, errno: Math.abs(errno) }
    return systemError('ERR_SPAWN', path === undefined ? failure : { ...failure, path }, error)
  }
  const reason = messageOf(error)
  const hint = isBundled() ? `; ${bundleHint}` : ''
  return new BashError('ERR_INTERNAL', `a part of bashward cannot be loaded: ${reason}${hint}`, {
    cause: error,
  })
}
