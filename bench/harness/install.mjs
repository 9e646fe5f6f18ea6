// Packages that are compared with and depended on by nothing: installed for one run of the benchmark, and removed.

import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const VERSION = '0.0.83'
const NAME = '@anthropic-ai/sandbox-runtime'
const INSTALL_TIMEOUT_MS = 120_000

/** Where the hosts, which are processes of their own, find it. */
const VARIABLE = 'BASHWARD_BENCH_SANDBOX_RUNTIME'

export const SANDBOX_RUNTIME = {
  title: `${NAME} ${VERSION}`,
  /** The module to import. Throws when it was not installed. */
  entry() {
    const directory = process.env[VARIABLE]
    if (directory === undefined) throw new Error('it could not be installed')
    return path.join(directory, 'node_modules', NAME, 'dist/index.js')
  },
}

/** Installs it where every user can read it; without it there is one contender less. Runs none of its scripts. */
export async function installSandboxRuntime() {
  if (process.env[VARIABLE] !== undefined) return
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'bashward-bench-'))
  process.once('exit', () => fs.rmSync(directory, { recursive: true, force: true }))
  fs.chmodSync(directory, 0o755)
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await promisify(execFile)('npm', ['install', '--prefix', directory, ...options, `${NAME}@${VERSION}`], {
    cwd: directory,
    timeout: INSTALL_TIMEOUT_MS,
  })
  process.env[VARIABLE] = directory
}
