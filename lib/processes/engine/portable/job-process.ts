// The host's half of a background job: it starts a process that watches over the job and outlives the host. It sends that
// the request, serialized, and the process answers in a line of JSON.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import { bundleHint, installedRoot, isBundled } from '../../../base/util/bundled.js'
import { packageRoot } from '../../../package-root.js'
import { type Completion, Outcome } from '../completion.js'
import type { CommandRequest, JobPlan } from '../request.js'
import { completionOf, errnoOf } from './completion.js'
import type { ShellRequest } from './start-shell.js'

type JobCommand = CommandRequest & { job: JobPlan }

/** What the process of a job is told. */
export type JobRequest = ShellRequest & { job: JobPlan }

export type JobAnswer =
  /** It runs, and is on the disk. Of its shell. */
  | { pid: number }
  /** It does not, and why. */
  | { step: string; errno: number }

/** @returns its completion as soon as it runs; never rejects */
export async function startJob(request: JobCommand): Promise<Completion> {
  const program = jobProgram()
  if (program === undefined) {
    return completionOf({
      outcome: Outcome.notStarted,
      step: isBundled() ? `find job-program.js (${bundleHint})` : 'find job-program.js',
      errno: constants.errno.ENOENT,
    })
  }
  const { TMPDIR } = process.env
  const child = spawn(process.execPath, [program], {
    cwd: '/',
    detached: true,
    // Nothing to be read there. Electron's executable is a Node when it is told to be.
    env: { ...(TMPDIR !== undefined && { TMPDIR }), ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  // The first act of the job may be to stop it.
  const timer = setInterval(() => child.kill('SIGCONT'), answerMs)
  try {
    return toCompletion(await ask(child, serialize(toJobRequest(request))))
  } catch (error) {
    return completionOf({ outcome: Outcome.notStarted, step: 'start the job', errno: errnoOf(error) })
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
  const built = join('dist', 'engine', 'portable')
  const directories = [join(packageRoot, built), __dirname, join(installedRoot() ?? packageRoot, built)]
  return directories.map((directory) => join(directory, 'job-program.js')).find((file) => existsSync(file))
}

/** @returns undefined when it ended without an answer */
function ask(child: ChildProcess, request: Buffer): Promise<JobAnswer | undefined> {
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

/** Without what cannot be serialized. What a background job leaves is nobody's. */
function toJobRequest({ session, ...request }: JobCommand): JobRequest {
  if (session === undefined) return { ...request, session }
  const { prologue, prologueDescriptor } = session
  return { ...request, session: { prologue, prologueDescriptor, stateLimit: 0 } }
}
