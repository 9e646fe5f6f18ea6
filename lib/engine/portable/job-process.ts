// The host's half of a background job: it starts a process that watches over the job and outlives the host. It tells that
// the request, and the process answers, in a line of JSON each.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../package-root.js'
import { bundleHint, installedRoot, isBundled } from '../../util/bundled.js'
import { type CommandRequest, type Completion, type JobPlan, Outcome } from '../engine.js'
import { completionOf, errnoOf } from './completion.js'

/** What the process of a job needs of a request. */
export type JobRequest = CommandRequest & { job: JobPlan }

export type JobAnswer =
  /** It runs, and is on the disk. Of its shell. */
  | { pid: number }
  /** It does not, and why. */
  | { step: string; errno: number }

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

/** Bytes cross as base64. */
function encodeJobRequest(request: JobRequest): string {
  const { environment, session } = request
  return JSON.stringify({
    ...request,
    environment: environment.toString('base64'),
    session: session && {
      prologue: session.prologue.toString('base64'),
      prologueDescriptor: session.prologueDescriptor,
    },
  })
}

export function decodeJobRequest(text: string): JobRequest {
  const fields = JSON.parse(text)
  const session: { prologue: string; prologueDescriptor: number } | undefined = fields.session
  return {
    ...fields,
    environment: Buffer.from(fields.environment, 'base64'),
    // What a background job leaves is nobody's.
    session: session && {
      ...session,
      prologue: Buffer.from(session.prologue, 'base64'),
      stateLimit: 0,
      onState: () => {},
    },
  }
}
