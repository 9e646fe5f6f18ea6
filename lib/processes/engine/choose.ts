// The engine of this process: the native one where it works, otherwise the portable one.

import { AsyncResource } from 'node:async_hooks'
import { workerThreads } from '../../base/util/lazy.js'
import type { Engine } from './engine.js'
import { engineVariable, forcedEngine } from './forced.js'
import { loadAddon } from './native/addon.js'
import { nativeEngine } from './native/engine.js'
import { obstacleAtOnce, tryOut } from './self-test.js'

/** An engine, and why it is this one. */
export interface ChosenEngine {
  engine: Engine
  /** For a person: `the self-test has passed`. */
  reason: string
}

let chosen: ChosenEngine | undefined
let proven: Promise<ChosenEngine> | undefined

/**
 * The engine, as far as it can be told at once. Before the self-test, {@link provenEngine}, it may be the native one where
 * that will turn out not to work.
 *
 * @throws {BashError} ERR_INVALID_INPUT for a wrong BASHWARD_ENGINE; ERR_UNSUPPORTED_PLATFORM when that is `native`, and
 *   it cannot be loaded
 */
export function currentEngine(): Engine {
  chosen ??= choose()
  return chosen.engine
}

/**
 * The engine that runs commands. The first call makes the self-test, once for each thread.
 *
 * @throws {BashError} (rejects) as {@link currentEngine}
 */
export function provenEngine(): Promise<ChosenEngine> {
  proven ??= prove().catch((error: unknown) => {
    proven = undefined
    throw error
  })
  return proven
}

function choose(): ChosenEngine {
  const forced = forcedEngine()
  if (forced === 'native') return { engine: nativeEngine(loadAddon()), reason: `${engineVariable}=native` }
  if (forced === 'portable') return { engine: portableEngine(), reason: `${engineVariable}=portable` }
  const obstacle = obstacleAtOnce()
  if (obstacle !== undefined) return fallBack(obstacle)
  return { engine: nativeEngine(loadAddon()), reason: 'the self-test has passed' }
}

async function prove(): Promise<ChosenEngine> {
  chosen ??= choose()
  if (chosen.engine.name === 'native' && forcedEngine() === undefined) {
    const obstacle = await moduleContext.runInAsyncScope(tryOut, undefined, chosen.engine)
    if (obstacle !== undefined) chosen = fallBack(`the native engine does not work here: ${obstacle}`)
  }
  return chosen
}

/** What the first caller keeps in an AsyncLocalStorage is not the engine's. */
const moduleContext = new AsyncResource('bashward')

function fallBack(reason: string): ChosenEngine {
  warnOnce(reason)
  return { engine: portableEngine(), reason }
}

function portableEngine(): Engine {
  // Loaded where it runs, and nowhere else.
  const { PortableEngine } = require('./portable/engine.js') as typeof import('./portable/engine.js')
  return new PortableEngine()
}

const warned = 'bashward.portableEngineWarning'

function warnOnce(reason: string): void {
  const { getEnvironmentData, setEnvironmentData } = workerThreads()
  // Workers that are made later know of it.
  if (getEnvironmentData(warned) === true) return
  setEnvironmentData(warned, true)
  process.emitWarning(
    `Commands run with the portable engine: ${reason}. ` +
      'It cannot end what leaves its process group, and has neither Restricted nor Workspace mode.',
    { type: 'BashwardWarning', code: 'BASHWARD_PORTABLE_ENGINE' },
  )
}
