// Builds and runs native/floor.c, the physical limit.

import { execFile, spawn } from 'node:child_process'
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const NATIVE = fileURLToPath(new URL('../native/', import.meta.url))
const SOURCE = `${NATIVE}floor.c`
const RESULTS = fileURLToPath(new URL('../results/', import.meta.url))
const BINARY = `${RESULTS}floor`
const FLAGS = ['-std=gnu11', '-O2', '-Wall', '-Wextra', '-Werror', '-pthread']
const TIMEOUT_MS = 45_000

const execute = promisify(execFile)

/** Compiles the limit with `cc`, unless the binary is newer than its source. Rejects without a compiler. */
export async function buildLimit() {
  if (isCurrent()) return
  fs.mkdirSync(RESULTS, { recursive: true })
  // Renamed into place, so that no other run ever starts half a binary.
  const unfinished = `${BINARY}.${process.pid}`
  await execute('cc', [...FLAGS, SOURCE, '-o', unfinished])
  fs.renameSync(unfinished, BINARY)
}

function isCurrent() {
  const binary = fs.statSync(BINARY, { throwIfNoEntry: false })
  const sources = fs.readdirSync(NATIVE).map((file) => fs.statSync(`${NATIVE}${file}`).mtimeMs)
  return binary !== undefined && binary.mtimeMs > Math.max(...sources)
}

/** Runs `bash -c command` in a mode of the limit. @returns {Promise<object>} what it printed */
export async function runLimit(mode, args, command) {
  const all = [mode, ...args.map(String), '/bin/bash', '-c', command]
  const { stdout } = await execute(BINARY, all, {
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 2 ** 24,
  })
  return JSON.parse(stdout)
}

/**
 * Starts `bash -c command` in the kill mode.
 * @returns {{ pid: number, kill: () => Promise<{ goneMs: number }> }} kill: ends all, and says how soon
 */
export function startLimitKill(command) {
  const child = spawn(BINARY, ['kill', '/bin/bash', '-c', command], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  return {
    pid: child.pid,
    async kill() {
      child.stdin.end('\n')
      await ended
      return JSON.parse(printed)
    },
  }
}
