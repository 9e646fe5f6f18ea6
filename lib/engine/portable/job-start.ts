// The host's half of a background job: a process that watches over it, and outlives the host.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../package-root.js'
import { bundleHint, installedRoot, isBundled } from '../../util/bundled.js'
import { type Completion, Outcome } from '../engine.js'
import { completionOf } from './completion.js'
import { encodeJobRequest, type JobAnswer, type JobRequest } from './job-request.js'

/** @returns its completion as soon as it runs; never rejects */
export async function startJob(request: JobRequest): Promise<Completion> {
  const program = jobProgram()
  if (program === undefined) {
    return completionOf({
      outcome: Outcome.notStarted,
      step: isBundled() ? `find job-program.js (${bundleHint})` : 'find job-program.js',
      errno: constants.errno.ENOENT,
    })
  }
  const { PATH = '', TMPDIR } = process.env
  const child = spawn(process.execPath, [program], {
    cwd: '/',
    detached: true,
    // Nothing to be read there. Electron's executable is a Node when it is told to be.
    env: { PATH, ...(TMPDIR !== undefined && { TMPDIR }), ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  // The first act of the job may be to stop it.
  const timer = setInterval(() => child.kill('SIGCONT'), answerMs)
  try {
    return toCompletion(await ask(child, encodeJobRequest(request)))
  } catch (error) {
    const { errno = -constants.errno.EIO } = error as NodeJS.ErrnoException
    return completionOf({ outcome: Outcome.notStarted, step: 'start the job', errno: -errno })
  } finally {
    clearInterval(timer)
    child.stdin?.destroy()
    child.stdout?.destroy()
    child.unref()
  }
}

/** A process that does not answer within this time, milliseconds, may be stopped. */
const answerMs = 1_000

/** In a program that we were bundled into: beside it, or where the package is installed. */
function jobProgram(): string | undefined {
  const name = 'job-program.js'
  const built = join('dist', 'engine', 'portable', name)
  const files = [join(packageRoot, built), join(__dirname, name)]
  return files.find((file) => existsSync(file)) ?? installedProgram(built)
}

function installedProgram(built: string): string | undefined {
  const root = installedRoot()
  return root !== undefined && existsSync(join(root, built)) ? join(root, built) : undefined
}

/** @returns undefined when it ended without an answer */
function ask(child: ChildProcess, request: string): Promise<JobAnswer | undefined> {
  return new Promise((resolve, reject) => {
    let answer = ''
    child.once('error', reject)
    // It may have ended already; then there is no answer.
    child.stdin?.on('error', () => {}).end(request)
    child.stdout
      ?.setEncoding('utf8')
      .on('data', (text: string) => {
        answer += text
        if (answer.endsWith('\n')) resolve(JSON.parse(answer))
      })
      .on('close', () => resolve(undefined))
  })
}

function toCompletion(answer: JobAnswer | undefined): Completion {
  if (answer === undefined) return completionOf({ outcome: Outcome.supervisorLost })
  return 'pid' in answer
    ? completionOf({ outcome: Outcome.detached, pid: answer.pid })
    : completionOf({ outcome: Outcome.notStarted, ...answer })
}
