// The packages that are compared with and depended on by nothing: bench/peers/ pins them, and each run that lacks them
// installs them into the cache.

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from '../../scripts/pinned-packages.mjs'

const DIRECTORY = fileURLToPath(new URL('../peers/', import.meta.url))

/** Where the hosts, which are processes of their own, find them. */
const VARIABLE = 'BASHWARD_BENCH_PEERS'

const pinned = JSON.parse(fs.readFileSync(path.join(DIRECTORY, 'package.json'), 'utf8')).dependencies

/**
 * Installs them, unless that has been done. Runs none of their scripts.
 * @throws {Error} when npm fails; what cannot be installed is then not measured
 */
export function installPeers() {
  if (process.env[VARIABLE] !== undefined) return
  process.env[VARIABLE] = ''
  process.env[VARIABLE] = installPackages(DIRECTORY)
}

/** Copies them to where every user can read them, until this process ends. */
export function sharePeers() {
  if (process.env[VARIABLE] === '') return
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'bashward-bench-'))
  process.once('exit', () => fs.rmSync(directory, { recursive: true, force: true }))
  fs.chmodSync(directory, 0o755)
  // They find each other by the name of this directory.
  const modules = path.join(directory, 'node_modules')
  fs.cpSync(process.env[VARIABLE], modules, { recursive: true, verbatimSymlinks: true })
  process.env[VARIABLE] = modules
}

/**
 * @param {string} name in bench/peers/package.json
 * @param {string} file its module, within the package
 * @returns {{ version: string, entry: () => string }} entry: the path of that module; throws when it is not installed
 */
export function peer(name, file) {
  return {
    version: pinned[name].replace(/^npm:.*@/, ''),
    entry() {
      const directory = process.env[VARIABLE]
      if (directory === '') throw new Error('it could not be installed')
      return path.join(directory, name, file)
    },
  }
}
