// Modules of Node that are slow to load, and that nothing needs before a command runs: together they took a quarter of
// the time of require('bashward').

import type ChildProcess from 'node:child_process'
import type Crypto from 'node:crypto'
import type WorkerThreads from 'node:worker_threads'

/** Even of a module that is loaded, require() takes as long as the rest of a small call. */
function once<Module>(load: () => Module): () => Module {
  let loaded: Module | undefined
  return () => {
    loaded ??= load()
    return loaded
  }
}

export const childProcess = once((): typeof ChildProcess => require('node:child_process'))
export const crypto = once((): typeof Crypto => require('node:crypto'))
export const workerThreads = once((): typeof WorkerThreads => require('node:worker_threads'))

/** @param bytes twice as many characters */
export const randomHex = (bytes: number): string => crypto().randomBytes(bytes).toString('hex')
