// Runs the benchmark again as an ordinary user.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sharePeers } from './peers.mjs'

/**
 * @param {number} uid
 * @param {{ only: string[], quick: boolean }} options
 * @returns {Promise<{ status: number, results: string }>} the exit status, and what `--json` has written
 */
export async function runAsUser(uid, { only, quick }) {
  if (process.getuid() !== 0) throw new Error('--user needs root')
  sharePeers()
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'bashward-bench-'))
  const file = path.join(directory, 'results.json')
  // Opened here, as root: an ordinary user may not write what root publishes.
  const descriptor = fs.openSync(file, 'w')
  try {
    const args = [process.argv[1], '--only', only.join(','), '--json', '3', ...(quick ? ['--quick'] : [])]
    const identity = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--inh-caps=-all']
    const child = spawn('setpriv', [...identity, process.execPath, ...args], {
      stdio: ['ignore', 'inherit', 'inherit', descriptor],
      env: { ...process.env, HOME: os.tmpdir() },
    })
    const [code] = await once(child, 'exit')
    return { status: code ?? 1, results: fs.readFileSync(file, 'utf8') }
  } finally {
    fs.closeSync(descriptor)
    fs.rmSync(directory, { recursive: true, force: true })
  }
}
