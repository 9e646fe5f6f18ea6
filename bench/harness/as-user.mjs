// Runs the benchmark again as an ordinary user.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'

/**
 * @param {number} uid
 * @param {{ only: string[], quick: boolean, json?: string | number }} options
 * @returns {Promise<number>} the exit status
 */
export async function runAsUser(uid, { only, quick, json }) {
  if (process.getuid() !== 0) throw new Error('--user needs root')
  const stdio = ['ignore', 'inherit', 'inherit']
  const args = [process.argv[1], '--only', only.join(',')]
  if (quick) args.push('--quick')
  if (json !== undefined) {
    // Opened here: the user may not write where root asked for it.
    stdio.push(typeof json === 'number' ? json : fs.openSync(json, 'w'))
    args.push('--json', '3')
  }
  const identity = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--inh-caps=-all']
  const child = spawn('setpriv', [...identity, process.execPath, ...args], {
    stdio,
    env: { ...process.env, HOME: os.tmpdir() },
  })
  const [code] = await once(child, 'exit')
  return code ?? 1
}
