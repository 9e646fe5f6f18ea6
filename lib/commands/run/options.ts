// The options of run().

import { isAbsolute } from 'node:path'
import { type Checks, checkOptions } from '../../base/util/check-options.js'
import { resolveDirectory, temporaryDirectory } from '../../base/util/directories.js'
import { checkAbortSignal, checkOneOf, checkType, invalidInput } from '../../base/util/invalid-input.js'
import { synonymHint } from '../../base/util/unknown-field.js'
import {
  type CheckedPolicy,
  checkSandbox,
  type Sandbox,
  type SandboxMode,
  type SandboxPolicy,
  sandboxOfMode,
} from '../../guard/sandbox/policy.js'
import { checkBesideTty, checkTty, type TerminalSizeOptions } from '../../terminals/terminal/size.js'
import { type AllCommandOptions, commandChecks } from './command-options.js'
import { checkInput } from './input.js'
import { type ResolvedOptions, resolveCommandOptions } from './resolved-options.js'
import type { OutputEvent } from './result.js'

export interface RunOptions extends AllCommandOptions {
  /** The working directory. A relative path is taken from the process's own. */
  cwd: string
  /** Aborting it kills the command and everything it started. */
  cancelSignal?: AbortSignal | undefined
  /**
   * In `'restricted'` the command can read and compute; the kernel refuses it to write, to use a network, and to signal
   * or inspect anything outside. In `'workspace'` it can change files below `cwd` and test servers of its own as well; with
   * `workspace: { network: { domains: […] } }` it can reach those hosts. A policy of one's own says
   * what else it can do. Default `'unrestricted'`.
   */
  sandbox?: SandboxMode | SandboxPolicy | undefined
  /** One pipe for stdout and stderr, which keeps their order, or one for each. Default `'merged'`. */
  streams?: 'merged' | 'separate' | undefined
  /**
   * What the command reads from stdin: text or bytes, 256 MiB at most. Default: nothing, stdin is at its end at once. It is
   * a file, so that the command may read it at its own pace, or not at all.
   */
  input?: string | Uint8Array | undefined
  /**
   * Start the command as a background job with a terminal of its own, 24 rows of 100 columns or as given, and resolve once it
   * runs, with status `'background'` and `jobId`: `store.open(jobId)` types into it. It has the variables of a terminal
   * instead of those that keep commands from asking. Not with the portable engine. Default false.
   */
  tty?: boolean | TerminalSizeOptions | undefined
  /** Called with pieces of output while the command runs. A live view, see {@link OutputEvent}. */
  onOutput?: ((event: OutputEvent) => void) | undefined
}

const checks = {
  ...commandChecks,
  cwd: resolveDirectory,
  cancelSignal: checkAbortSignal,
  sandbox: checkSandbox,
  input: checkInput,
  tty: checkTty,
  streams: (field, streams) => checkOneOf(field, streams, ['merged', 'separate']),
  onOutput: (field, listener) => checkType<(event: OutputEvent) => void>(field, listener, 'function'),
} as const satisfies Checks<RunOptions>

/** Messages name these in this order, and then what the table has besides. */
const firstNames = [
  ...[
    'cwd',
    'timeout',
    'cancelSignal',
    'sandbox',
    'workspace',
    'scratch',
    'required',
    'env',
    'survivors',
    'streams',
  ],
  ...['onOutput', 'normalizeOutput', 'saveOutput', 'termGraceMs', 'limits', 'shellPath'],
] as const satisfies readonly (keyof RunOptions)[]
export const runOptionNames = [...new Set([...firstNames, ...Object.keys(checks)])]

/** What the context of a tool, and others, call these. */
const optionMeant = synonymHint({
  cwd: ['workingdir', 'workingdirectory', 'dir', 'directory', 'workdir'],
  cancelSignal: ['cancel', 'signal', 'abort', 'abortsignal'],
  onOutput: ['onevent', 'ondata'],
  input: ['stdin'],
  shellPath: ['shell', 'bashpath'],
})

/** `temporary`: the directory for temporary files, where they depend on it. */
let last: { given: RunOptions; resolved: ResolvedOptions; temporary: string | undefined } | undefined

/**
 * @throws {BashError} ERR_INVALID_INPUT naming the option, what is allowed and what came; ERR_WORKING_DIR when a
 *   relative path has nothing to be relative to
 */
export function resolveOptions(given: RunOptions): ResolvedOptions {
  // Most calls of a program have the options of the one before.
  if (last !== undefined && hasSame(given, last.given) && last.temporary === temporaryFor(last.resolved)) {
    return { ...last.resolved }
  }
  const resolved = resolve(given)
  const temporary = temporaryFor(resolved)
  const isKept = isFixed(given) && (temporary === undefined || isAbsolute(temporary))
  last = isKept ? { given: { ...given }, resolved: { ...resolved }, temporary } : undefined
  return resolved
}

const temporaryFor = ({ scratch, saveOutput }: ResolvedOptions): string | undefined =>
  scratch === undefined && saveOutput === undefined ? undefined : temporaryDirectory()

function hasSame(given: RunOptions, known: RunOptions): boolean {
  if (typeof given !== 'object' || given === null) return false
  let count = 0
  for (const name in given) {
    if (given[name as keyof RunOptions] !== known[name as keyof RunOptions] || !(name in known)) return false
    count++
  }
  return count === Object.keys(known).length
}

/**
 * Whether the same values mean the same tomorrow, with the same directory for temporary files: the fields of an object may
 * change. Nothing of the caller's is kept alive.
 */
function isFixed({ cwd, input, ...others }: RunOptions): boolean {
  if (!isAbsolute(cwd) || input !== undefined) return false
  return Object.values(others).every((value) => typeof value !== 'object' && typeof value !== 'function')
}

function resolve(given: RunOptions): ResolvedOptions {
  const checked = checkOptions(given, checks, runOptionNames, optionMeant)
  const { cwd, cancelSignal, sandbox: asked, streams, onOutput, input, tty: terminal, ...options } = checked
  const separateStreams = streams === 'separate'
  if (separateStreams && options.saveOutput !== undefined) {
    throw invalidInput('saveOutput', "must be left out with streams: 'separate'", given.saveOutput)
  }
  if (separateStreams && options.backgroundAfter !== undefined) {
    throw invalidInput('backgroundAfter', "must be left out with streams: 'separate'", given.backgroundAfter)
  }
  if (terminal !== undefined) checkBesideTty(given)
  if (options.workspace !== undefined && asked !== 'workspace') {
    throw invalidInput('workspace', "must be left out without sandbox: 'workspace'", given.workspace)
  }
  if (asked === 'unrestricted') {
    const requirement = "must be left out without sandbox: 'restricted' or 'workspace'"
    if (options.scratch) throw invalidInput('scratch', requirement, given.scratch)
    if (options.required.length > 0) throw invalidInput('required', requirement, given.required)
  }
  const sandbox = sandboxOf(asked, options.workspace)
  return {
    ...resolveCommandOptions(options, sandbox, terminal),
    cwd,
    policyBase: cwd,
    cancelSignal,
    separateStreams,
    onOutput,
    input,
  }
}

/** @param changes of Workspace mode */
function sandboxOf(asked: SandboxMode | CheckedPolicy, changes: Partial<CheckedPolicy> | undefined): Sandbox {
  return typeof asked === 'string' ? sandboxOfMode(asked, changes) : { name: 'custom', policy: asked }
}
