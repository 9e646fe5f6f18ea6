// What users of child_process must do themselves: bound the output, end the process group on a cancel, and not wait
// for ever for a background child that holds the pipe.

import { HeadTail } from './head-tail.mjs'

/** How long the pipes may stay open after the program has ended, milliseconds. */
const HELD_PIPE_MS = 100

/**
 * @param {import('node:child_process').ChildProcess} child the leader of its own process group, stdout and stderr pipes
 * @param {AbortSignal} [cancelSignal]
 * @returns {Promise<{ exitCode: number | null, output: string, outputBytes: number }>}
 */
export function collect(child, cancelSignal) {
  return new Promise((resolve, reject) => {
    const output = new HeadTail()
    const push = (chunk) => output.push(chunk)
    child.stdout.on('data', push)
    child.stderr.on('data', push)

    const cancel = () => killGroup(child.pid)
    cancelSignal?.addEventListener('abort', cancel, { once: true })

    // A timer alone would lose output: if the event loop is late, it fires before the pipe is read.
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
