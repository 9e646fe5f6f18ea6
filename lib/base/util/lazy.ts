// What is loaded, or worked out, when it is first needed.

import type ChildProcess from 'node:child_process'
import type Crypto from 'node:crypto'
import type WorkerThreads from 'node:worker_threads'

/** What `load` gives, asked once. Even of a module that is loaded, require() takes as long as the rest of a small call. */
export function once<Value>(load: () => Value): () => Value {
  let loaded: { value: Value } | undefined
  return () => {
    loaded ??= { value: load() }
    return loaded.value
  }
}

// Modules that are slow to load, and that nothing needs before a command runs: together they took a quarter of the time
// of require('bashward').
export const childProcess = once((): typeof ChildProcess => require('node:child_process'))
export const crypto = once((): typeof Crypto => require('node:crypto'))
export const workerThreads = once((): typeof WorkerThreads => require('node:worker_threads'))

let random = ''

/**
 * Of bytes that are taken for many texts at once: for each, asking would take as long as the system call for its directory.
 *
 * @param bytes twice as many characters
 */
export function randomHex(bytes: number): string {
  const length = 2 * bytes
  if (random.length < length) random = crypto().randomBytes(Math.max(bytes, 512)).toString('hex')
  const text = random.slice(0, length)
  random = random.slice(length)
  return text
}
