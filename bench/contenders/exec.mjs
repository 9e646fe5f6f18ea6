// child_process.exec. It makes no process group that could be killed, and bounds output only by ending the command
// there.

import { exec } from 'node:child_process'
import { environment } from '../harness/run-program.mjs'

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

export default {
  title: 'child_process.exec',
  peer: true,
  unfit: { flood: 'it ends a command that prints more than it may keep' },
  run(command, { cwd, cancelSignal }) {
    return new Promise((resolve) => {
      const options = {
        cwd,
        env: environment,
        shell: '/bin/bash',
        signal: cancelSignal,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_OUTPUT_BYTES,
      }
      exec(command, options, (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : null
        const outputBytes = Buffer.byteLength(stdout) + Buffer.byteLength(stderr)
        resolve({ exitCode, output: stdout + stderr, outputBytes })
      })
    })
  },
}
