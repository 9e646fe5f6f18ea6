// run(): a command for those who want no tool.

import { part } from '../../base/util/load-part.js'
import { defaultJobsDirectory } from '../jobs/directory.js'
import { defaultOutputLimit, planJob } from '../jobs/plan.js'
import { JobStore } from '../jobs/store.js'
import { checkCommandText } from './command-text.js'
import type * as Execution from './execute.js'
import { withJobPlans } from './job-plans.js'
import type * as LoginEnvironments from './login/login-environments.js'
import { type RunOptions, resolveOptions } from './options.js'
import type { ResolvedOptions } from './resolved-options.js'
import { type BashResult, blankResult, type SeparateStreams } from './result.js'

/**
 * Runs a command with bash and resolves when it has ended, whatever it did: a failure, a timeout and a cancel are
 * results, not errors. So is a command that kills the process that watches over it: status `'error'`, and `error.code`
 * ERR_SUPERVISOR_LOST. With `backgroundAfter` it resolves at that time at the latest: the command then goes on as a job.
 *
 * It runs any command, also those that the safety rules of the tools refuse: call `checkCommand` before if that is wanted.
 *
 * @param command the text after `bash -c`, at most 4 MiB, without NUL characters
 * @throws {BashError} ERR_INVALID_INPUT for bad arguments; ERR_WORKING_DIR, ERR_SPAWN or ERR_UNSUPPORTED_PLATFORM
 *   when the system cannot start it; ERR_SANDBOX_UNAVAILABLE when the sandbox asked for is not there
 */
export async function run(
  command: string,
  options: RunOptions & { streams: 'separate' },
): Promise<BashResult & SeparateStreams>
export async function run(command: string, options: RunOptions): Promise<BashResult>
export async function run(command: string, options: RunOptions): Promise<BashResult> {
  checkCommandText(command)
  const resolved = withOwnJobs(command, resolveOptions(options))
  const start = resolved.terminal === undefined ? execution().execute : startTerminal
  if (!resolved.environment.login) return await start(command, resolved)
  const { environment, tell } = await loginEnvironments().loginEnvironment(resolved)
  return tell(await start(command, { ...resolved, environment }))
}

/** With jobs in the user's directory of them. */
function withOwnJobs(command: string, options: ResolvedOptions): ResolvedOptions {
  const started = { command, workingDir: options.cwd, owner: {}, startedAt: Date.now() }
  return withJobPlans(options, started, { directory: defaultJobsDirectory, outputLimit: defaultOutputLimit })
}

/** Cancelled while it starts, it is killed: nobody would learn of it. */
async function startTerminal(command: string, options: ResolvedOptions): Promise<BashResult> {
  const { cwd: workingDir, timeoutMs: limitMs, terminal, cancelSignal, sandbox } = options
  const isCancelled = () => cancelSignal?.aborted === true
  if (isCancelled()) return blankResult(command, 'cancelled', sandbox)
  const store = new JobStore()
  const call = { command, workingDir, owner: {}, startedAt: Date.now(), limitMs }
  const job = planJob(store.directory, { ...call, outputLimit: defaultOutputLimit, adopted: false, terminal })
  const result = await execution().startJob(command, options, job)
  if (!isCancelled()) return result
  await store.kill(job.id)
  return blankResult(command, 'cancelled', sandbox)
}

/** Only who asks for it pays for it. */
export const loginEnvironments = part((): typeof LoginEnvironments =>
  require('./login/login-environments.js'),
)

/** Most of the engine is needed by the first command, and not before. */
export const execution = part((): typeof Execution => require('./execute.js'))
