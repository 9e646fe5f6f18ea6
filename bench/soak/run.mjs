// Starts the host, follows its samples, and looks at what is left when it has ended.

import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import { fileURLToPath } from 'node:url'

const HOST = fileURLToPath(new URL('host.mjs', import.meta.url))

/** Longer than any round of commands may take. */
const SILENCE_MS = 180_000

/** Processes with the directory of this soak in their arguments. */
function leftBehind(marker) {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        return fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(marker)
      } catch {
        return false // it has ended
      }
    })
}

/**
 * @param {{ minutes: number, commands: number, concurrency: number }} options
 * @param {(sample: import('./growth.mjs').Sample) => void} onSample
 * @returns {Promise<{ kinds: Record<string, number>, unexpected: string[] }>}
 */
export async function soak({ minutes, commands, concurrency }, onSample) {
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'bashward-soak-'))
  const child = spawn(process.execPath, ['--expose-gc', '--max-semi-space-size=2', HOST], {
    env: { ...process.env, TMPDIR: temporary, XDG_STATE_HOME: temporary },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exit = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })))
  let silence = setTimeout(() => child.kill('SIGKILL'), SILENCE_MS)
  // Infinity is no JSON.
  const limits = { minutes: Math.min(minutes, 1e6), commands: Math.min(commands, 1e9) }
  child.stdin.end(JSON.stringify({ temporary, concurrency, ...limits }))
  let end
  for await (const line of readline.createInterface({ input: child.stdout })) {
    clearTimeout(silence)
    silence = setTimeout(() => child.kill('SIGKILL'), SILENCE_MS)
    const report = JSON.parse(line)
    if (report.sample !== undefined) onSample(report.sample)
    if (report.end !== undefined) end = report.end
  }
  clearTimeout(silence)
  const { code, signal } = await exit
  if (end === undefined) throw new Error(`the host ended with ${signal ?? code}, before the end of the soak`)
  const processes = leftBehind(temporary)
  const unexpected = [
    ...end.unexpected,
    ...(processes.length > 0 ? [`processes left running: ${processes.join(', ')}`] : []),
    ...(end.temporary.length > 0 ? [`files left behind: ${end.temporary.join(', ')}`] : []),
  ]
  fs.rmSync(temporary, { recursive: true, force: true, maxRetries: 3 })
  return { kinds: end.kinds, unexpected }
}
