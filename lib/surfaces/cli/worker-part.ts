// What the program has of a fleet: only with `bashward worker`, and only where its packages are installed.

import type * as WorkerPart from '../fleet/worker/part.js'
import { UsageError } from './command-line.js'

/** @throws {UsageError} */
export function loadFleetPart(program: string): typeof WorkerPart {
  try {
    return require('../fleet/worker/part.js')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const name = ['bullmq', 'ioredis'].find((name) => message.includes(`'${name}`))
    if (code !== 'MODULE_NOT_FOUND' || name === undefined) throw error
    throw new UsageError(program, 'it needs two packages that are not installed: npm install bullmq ioredis')
  }
}
