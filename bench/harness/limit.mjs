// Builds and runs native/floor.c, the physical limit.

import { execFile, spawn } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const NATIVE = fileURLToPath(new URL('../native/', import.meta.url))
const RESULTS = fileURLToPath(new URL('../results/', import.meta.url))
const BINARY = `${RESULTS}floor`
const FLAGS = ['-std=gnu11', '-O2', '-Wall', '-Wextra', '-Werror', '-pthread']
const ADDON_FLAGS = [
  '-shared',
  '-fPIC',
  `-I${createRequire(import.meta.url)('node-api-headers').include_dir}`,
]
const TIMEOUT_MS = 45_000

const execute = promisify(execFile)

/**
 * Compiles the limit with `cc`, and the addon of host/cpu-time.mjs, unless they are newer than their sources. Rejects
 * without a compiler.
 */
export async function buildLimit() {
  fs.mkdirSync(RESULTS, { recursive: true })
  await build('floor.c', BINARY, FLAGS)
  await build('children.c', `${RESULTS}children.node`, [...FLAGS, ...ADDON_FLAGS])
}

async function build(source, target, flags) {
  if (isCurrent(target)) return
  // Renamed into place, so that no other run ever starts half a binary.
  const unfinished = `${target}.${process.pid}`
  await execute('cc', [...flags, `${NATIVE}${source}`, '-o', unfinished])
  fs.renameSync(unfinished, target)
}

function isCurrent(target) {
  const binary = fs.statSync(target, { throwIfNoEntry: false })
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

/** @returns {Promise<number[]>} µs that the instruction cpuid takes, several times; empty where there is none */
export async function measureCpuid() {
  const { stdout } = await execute(BINARY, ['cpuid'], { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' })
  return JSON.parse(stdout).microseconds
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
