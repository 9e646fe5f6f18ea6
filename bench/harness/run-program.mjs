// A program started by child_process.spawn, used as well as it can be: own process group, bounded output, absolute path,
// and no endless wait for a background child that holds the pipe.

import { spawn } from 'node:child_process'
import { HeadTail } from './head-tail.mjs'

/** How long the pipes may stay open after the program has ended, milliseconds. */
const HELD_PIPE_MS = 100

// process.env is an exotic object: reading it for every command would make this slower.
const env = { ...process.env }

/**
 * @param {string} program
 * @param {string[]} parameters
 * @param {{ cwd: string, cancelSignal?: AbortSignal }} options
 * @returns {Promise<{ exitCode: number | null, output: string, outputBytes: number }>}
 */
export function runProgram(program, parameters, { cwd, cancelSignal }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = new HeadTail()
    const collect = (chunk) => output.push(chunk)
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)

    const cancel = () => killGroup(child.pid)
    cancelSignal?.addEventListener('abort', cancel, { once: true })

    // A timer alone would lose output: in a late event loop it fires before what the pipe holds is read.
    let heldPipe
    const release = (bytesBefore) => {
      if (output.total > bytesBefore) waitForPipe()
      else for (const stream of [child.stdout, child.stderr]) stream.destroy()
    }
    const waitForPipe = () => {
      const bytesBefore = output.total
      heldPipe = setTimeout(() => setImmediate(release, bytesBefore), HELD_PIPE_MS)
    }
    child.on('exit', waitForPipe)
    child.on('error', reject)
    child.on('close', (exitCode) => {
      clearTimeout(heldPipe)
      cancelSignal?.removeEventListener('abort', cancel)
      resolve({ exitCode, output: output.text(), outputBytes: output.total })
    })
  })
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended on its own.
  }
}
