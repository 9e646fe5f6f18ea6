// Runs a script on a file in the sandbox of a session: with the rights of its commands, and with an environment of its own.

import type { FileHandle } from 'node:fs/promises'
import { realNameOf } from '../../../base/util/absolute-paths.js'
import { type RunOptions, resolveOptions } from '../../../commands/run/options.js'
import { policyPaths } from '../../../commands/run/request.js'
import type { ResolvedOptions } from '../../../commands/run/resolved-options.js'
import { execution } from '../../../commands/run/run.js'
import type { SandboxMode, SandboxPolicy } from '../../../guard/sandbox/policy.js'
import { withExchange } from './exchange.js'
import { errorOf, fileError } from './file-errors.js'

/** Of the commands that a session runs: what confines them. */
export interface Place {
  /** An absolute path. */
  cwd: string
  sandbox: SandboxMode | SandboxPolicy | undefined
  workspace?: Partial<SandboxPolicy> | undefined
  options: Pick<RunOptions, 'env' | 'shellPath' | 'required' | 'limits'>
}

export interface ScriptCall {
  text: string
  /** What errors name. */
  path: string
  /** Without NUL characters. */
  variables: Readonly<Record<string, string>>
  /** Where it may go, by real names; undefined: wherever its sandbox lets it. */
  roots?: readonly string[] | undefined
  signal?: AbortSignal | undefined
  /** What it reads from descriptor 0, or writes to it. Default: a new one, which is empty. */
  exchange?: FileHandle | undefined
}

/**
 * Milliseconds. Something may exchange what has been looked at for a pipe before it is opened, and files of /proc wait for
 * news: then nothing comes any more. What is written takes its time.
 */
const timeoutOf = (bytes: number): number => Math.min(30_000 + Math.round(bytes / 1000), 86_400_000)

/**
 * @param use gets what the script has printed, and descriptor 0
 * @throws an error with the code of the system, or BashError when nothing can run
 */
export async function runScript<Value>(
  place: Place,
  call: ScriptCall,
  use: (printed: string, exchange: FileHandle) => Value | Promise<Value>,
): Promise<Value> {
  if (call.exchange === undefined) {
    return await withExchange('', async (exchange) => await runScript(place, { ...call, exchange }, use))
  }
  const { text, path, variables, roots, signal, exchange } = call
  signal?.throwIfAborted()
  const { size } = await exchange.stat()
  const timeout = timeoutOf(size)
  const given = resolveFor(place, { ...variables, ...rootVariables(roots) })
  const options = {
    ...given,
    timeoutMs: timeout,
    cancelSignal: signal,
    input: exchange.fd,
    separateStreams: true,
  }
  const { status, stdout = '', stderr = '', error } = await execution().execute(text, options)
  signal?.throwIfAborted()
  if (status === 'completed') return await use(stdout, exchange)
  if (status === 'timed_out') throw fileError('ETIMEDOUT', `nothing came of it in ${timeout / 1000} s`, path)
  throw error === undefined ? errorOf(stderr, path) : fileError('EIO', error.message, path)
}

/** By real names: what commands of this place can write to. Undefined where that is not limited. */
export function writableIn(place: Place): readonly string[] | undefined {
  const options = resolveFor(place, {})
  return options.policy === undefined ? undefined : policyPaths(options).writable
}

/** @throws {BashError} for what is wrong with the options */
function resolveFor(
  { cwd, sandbox, workspace, options }: Place,
  variables: ScriptCall['variables'],
): ResolvedOptions {
  const { env, shellPath, required, limits } = options
  const isConfined = sandbox !== undefined && sandbox !== 'unrestricted'
  // HOME decides which files of this user cannot be read.
  const home = env?.set !== undefined && 'HOME' in env.set ? { HOME: env.set.HOME } : {}
  return resolveOptions({
    cwd,
    sandbox: typeof sandbox === 'object' ? { ...sandbox, network: false } : sandbox,
    ...(sandbox === 'workspace' && { workspace: { ...workspace, network: false } }),
    ...(isConfined && { required, scratch: false }),
    env: { inherit: 'none', set: { ...home, LC_ALL: 'C', BASH_ENV: undefined, ...variables } },
    shellPath,
    limits,
    survivors: 'kill',
    redact: false,
    explain: false,
  })
}

/** One that ends with a slash is the root directory. */
function rootVariables(roots: readonly string[] | undefined): Record<string, string> {
  if (roots === undefined) return { limited: '' }
  const named = roots.map((root, index) => [`root_${index}`, realNameOf(root).replace(/\/$/, '')])
  return { limited: 'yes', count: String(roots.length), ...Object.fromEntries(named) }
}
