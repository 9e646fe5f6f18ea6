// Modules of Node that are slow to load, and that nothing needs before a command runs: together they took a quarter of
// the time of require('bashward').

import type ChildProcess from 'node:child_process'
import type Crypto from 'node:crypto'
import type WorkerThreads from 'node:worker_threads'
import { once } from './once.js'

export const childProcess = once((): typeof ChildProcess => require('node:child_process'))
export const crypto = once((): typeof Crypto => require('node:crypto'))
export const workerThreads = once((): typeof WorkerThreads => require('node:worker_threads'))

/** @param bytes twice as many characters */
export const randomHex = (bytes: number): string => crypto().randomBytes(bytes).toString('hex')
