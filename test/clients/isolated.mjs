// Runs drive.mjs where there is no network but loopback, and no process but its own: nothing that it leaves goes on.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('drive.mjs', import.meta.url))

/** sh stays, and reaps what its children leave. */
const script = 'ip link set lo up && "$@"; exit $?'

/** @returns {Promise<object>} what drive.mjs has seen */
export const driveIsolated = async (job) => {
  const top = mkdtempSync(join(tmpdir(), 'bashward-clients-'))
  try {
    const { status, text } = await drive({ ...job, top })
    if (status === 0 && text !== '') return JSON.parse(text)
    throw new Error(`${job.name}, ${job.run}: it was not driven (exit status ${status})`)
  } finally {
    // Only now nothing runs any more that could write there.
    rmSync(top, { recursive: true, force: true })
  }
}

const drive = (job) =>
  new Promise((resolve, reject) => {
    const asRoot = process.getuid() === 0 ? [] : ['--user', '--map-root-user']
    const unshare = [...asRoot, '--net', '--pid', '--fork', '--mount-proc', '--kill-child']
    const words = [...unshare, 'sh', '-c', script, 'sh', process.execPath, program, JSON.stringify(job)]
    const child = spawn('unshare', words, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] })
    const pieces = []
    child.stdio[3].on('data', (piece) => pieces.push(piece))
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, text: Buffer.concat(pieces).toString() }))
  })
