// The process of a background job: started by job-start.ts, it reads a request from stdin, answers on stdout, and lives
// until nothing of the job runs any more.

import { closeSync, readFileSync, writeSync } from 'node:fs'
import { Job } from './job.js'
import { decodeJobRequest, type JobAnswer } from './job-request.js'
import { StepError } from './temporary.js'

// Node's own use of the signal is its debugger.
let kill = () => {}
process.on('SIGUSR1', () => kill())
// Those mean the host, or whoever sends them to everything: the job goes on.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})

async function main(): Promise<void> {
  const job = new Job(decodeJobRequest(readFileSync(0, 'utf8')))
  try {
    const pid = await job.start()
    kill = () => job.kill()
    answer({ pid })
  } catch (error) {
    const { step, errno } = error instanceof StepError ? error : new StepError('start', error)
    return answer({ step, errno })
  }
  await job.ended()
}

function answer(message: JobAnswer): void {
  try {
    writeSync(1, `${JSON.stringify(message)}\n`)
  } catch {
    // The host is gone. The job is on the disk, and goes on.
  }
  closeSync(1)
}

main().finally(() => process.exit())
