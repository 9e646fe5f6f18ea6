// createBashTool(): the bash tool. Stateless: one instance serves any number of conversations.

import type { EnvironmentOptions } from '../environment/options.js'
import type { JobStore } from '../jobs/store.js'
import { timeoutRange } from '../run/options.js'
import type { BashResult } from '../run/result.js'
import type { SaveOutputOptions } from '../run/save-output.js'
import type { Protection } from '../sandbox/protections.js'
import type { ResourceLimits } from '../sandbox/resource-limits.js'
import type { ScratchOptions } from '../sandbox/scratch.js'
import { checkInteger, checkObject } from '../util/invalid-input.js'
import { callBash } from './bash-call.js'
import {
  type BashInput,
  type BashMode,
  bashModes,
  bashSchema,
  defaultTimeouts,
  describeBashTool,
  formatDuration,
} from './bash-schema.js'
import { bashText } from './bash-text.js'
import { callMethods } from './call-methods.js'
import { checkedCall } from './checked-call.js'
import { type ResolvedContext, resolveContext } from './context.js'
import { misplacedField } from './context-fields.js'
import { displayBeforehand } from './display.js'
import { resolveJobOptions } from './job-options.js'
import { resolveForModes, restrictionOf } from './mode-options.js'
import { describeSafety, resolveSafety, type SafetyOptions } from './safety.js'
import type { Tool, ToolContext } from './types.js'

export interface BashToolOptions {
  /** The bash to use, an absolute path. Default: the one on PATH. */
  shellPath?: string | undefined
  /** What commands get of this process's environment. Default: no secrets, and non-interactive defaults. */
  env?: EnvironmentOptions | undefined
  /** Strip ANSI escape sequences and render carriage returns as a terminal would. Default false. */
  normalizeOutput?: boolean | undefined
  /** Keep output that is too long to be given whole in a file, see `RunOptions`. Default false. */
  saveOutput?: boolean | SaveOutputOptions | undefined
  /** What becomes of processes that a command leaves running, see `RunOptions`. Default `'adopt'`, in Restricted mode `'kill'`. */
  survivors?: 'adopt' | 'kill' | undefined
  /** Milliseconds from SIGTERM to SIGKILL when a command is killed, 0…10000. Default 2000. */
  termGraceMs?: number | undefined
  /** Default: the limits of this process; in Restricted mode see {@link ResourceLimits}. */
  limits?: ResourceLimits | undefined
  /** In Restricted mode, a directory that the command can write to, see `RunOptions`. Default false. */
  scratch?: boolean | ScratchOptions | undefined
  /** In Restricted mode, protections without any of which commands are refused. Default: all but `'signals'`. */
  required?: readonly Protection[] | undefined
  /** What commands are checked against before they run; `false`: nothing. Default `true`: `safetyRules`. */
  safety?: boolean | SafetyOptions | undefined
  /** Milliseconds, 1…86400000. Default 30000, 900000 and 86400000. */
  timeouts?: { [Mode in BashMode]?: number | undefined } | undefined
  /** Where background jobs are kept. Default: the user's, see {@link JobStore}. */
  jobs?: JobStore | undefined
  /** The size that the output file of a job is kept below, bytes, 262144…1099511627776. Default 1 GiB. */
  maxJobOutputBytes?: number | undefined
}

export type BashTool = Tool<BashInput, BashResult>

const name = 'bash'

const optionNames = [
  'shellPath',
  'env',
  'normalizeOutput',
  'saveOutput',
  'survivors',
  'termGraceMs',
  'limits',
  'scratch',
  'required',
  'safety',
  'timeouts',
  'jobs',
  'maxJobOutputBytes',
] as const satisfies readonly (keyof BashToolOptions)[]

/**
 * The `bash` tool `{command, mode?}`.
 *
 * @throws {BashError} ERR_INVALID_INPUT for a wrong option
 */
export function createBashTool(options: BashToolOptions = {}): BashTool {
  const checked: BashToolOptions = checkObject('options', options, optionNames, misplacedField)
  const { timeouts, jobs, maxJobOutputBytes, safety, ...runOptions } = checked
  const checks = resolveSafety(safety)
  const timeoutOf = resolveTimeouts(timeouts)
  const jobOptions = resolveJobOptions(jobs, maxJobOutputBytes)
  const modeOptions = resolveForModes(runOptions)
  const schema = bashSchema(timeoutOf)

  return {
    name,
    inputSchema: schema,
    description: (context) => {
      const { workingDir, sandbox, session } = resolveContext(context)
      const restriction = restrictionOf(modeOptions, sandbox)
      return describeBashTool(workingDir, restriction, describeSafety(checks), session !== undefined)
    },
    toText: bashText,
    ...callMethods<ToolContext, ResolvedContext, BashResult>({
      resolveContext,
      call: (input, getContext, context) =>
        checkedCall({
          tool: name,
          schema,
          input,
          context,
          display: displayBeforehand(modeOptions, getContext),
          async run({ command, mode = 'default' }) {
            const { workingDir, sandbox, owner, session, cancel, onEvent } = getContext()
            const background = mode === 'background'
            const timeoutMs = timeoutOf[mode]
            const moreTime = moreTimeThan(timeoutMs, timeoutOf)
            const place = { workingDir, owner, session, cancel, onEvent }
            const call = { command, ...place, background, timeoutMs, moreTime }
            return await callBash(call, { options: modeOptions[sandbox], jobs: jobOptions, safety: checks })
          },
        }),
    }),
  }
}

/** The modes that give a command more time. */
function moreTimeThan(timeoutMs: number, { slow, background }: Record<BashMode, number>): string | undefined {
  const modes: string[] = []
  if (slow > timeoutMs) modes.push(`mode="slow" (${formatDuration(slow)})`)
  if (background > timeoutMs) modes.push('mode="background"')
  return modes.length === 0 ? undefined : modes.join(' or ')
}

function resolveTimeouts(timeouts: BashToolOptions['timeouts'] = {}): Record<BashMode, number> {
  checkObject('timeouts', timeouts, bashModes)
  const resolved = { ...defaultTimeouts }
  for (const mode of bashModes) {
    const timeout = timeouts[mode]
    if (timeout !== undefined) {
      resolved[mode] = checkInteger(`timeouts.${mode}`, timeout, timeoutRange, 'milliseconds')
    }
  }
  return resolved
}
