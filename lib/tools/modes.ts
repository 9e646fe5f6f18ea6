// The options of a tool's commands for each sandbox: which one a conversation asks for is known only when it calls.

import type { CheckedCommandOptions } from '../commands/run/command-options.js'
import { type ResolvedOptions, resolveCommandOptions } from '../commands/run/resolved-options.js'
import type { BashSession } from '../commands/session/bash-session.js'
import type { Restriction } from '../guard/sandbox/description.js'
import {
  type CheckedPolicy,
  isPreset,
  restricted,
  type Sandbox,
  type SandboxMode,
  type SandboxName,
  type SandboxPolicy,
  sandboxOfMode,
  unrestricted,
} from '../guard/sandbox/policy.js'
import { warnWithoutSandbox } from '../guard/sandbox/requirements.js'
import { defaultScratch } from '../guard/sandbox/scratch.js'
import { sandboxSupport } from '../guard/sandbox/support.js'
import type { TerminalSize } from '../processes/engine/request.js'

export interface ModeOptions extends Readonly<Record<SandboxMode, ResolvedOptions>> {
  /** For a policy of the context's own. */
  forPolicy(policy: CheckedPolicy): ResolvedOptions
  /**
   * For a command that is known to only read: Restricted mode, with a scratch directory unless there is to be none.
   *
   * @param policy the conversation's, whose unreadable paths stay unreadable
   */
  forReads(policy: CheckedPolicy | undefined): ResolvedOptions
}

/**
 * Where there is no Restricted mode, the host is warned.
 *
 * @param profile what of it is the tool's own
 * @param terminal of jobs that get one
 */
export function resolveForModes(
  options: CheckedCommandOptions,
  profile: Partial<Pick<ResolvedOptions, 'output' | 'separateStreams'>> = {},
  terminal?: TerminalSize,
): ModeOptions {
  warnWithoutSandbox()
  const resolve = (sandbox: Sandbox) => ({ ...resolveCommandOptions(options, sandbox, terminal), ...profile })
  // What else a policy has changes none of the options; an environment is read once for all that have the same.
  const known = new Map<string, ResolvedOptions>()
  let reads: ResolvedOptions | undefined
  return {
    unrestricted: resolve(unrestricted),
    restricted: resolve(restricted),
    workspace: resolve(sandboxOfMode('workspace', options.workspace)),
    forPolicy(policy) {
      const kind = `${policy.writable.length > 0} ${policy.network !== false}`
      const resolved = known.get(kind) ?? resolve({ name: 'custom', policy })
      known.set(kind, resolved)
      return { ...resolved, policy }
    },
    forReads(policy) {
      reads ??= {
        ...resolveCommandOptions(
          { ...options, scratch: options.scratch ?? defaultScratch() },
          restricted,
          terminal,
        ),
        ...profile,
      }
      const unreadable = policy?.unreadable ?? []
      if (unreadable.length === 0 || reads.policy === undefined) return reads
      return { ...reads, sandbox: 'custom', policy: { ...reads.policy, unreadable } }
    },
  }
}

/** The sandbox that a context asks for: a mode, or `'custom'` with a policy. */
export interface AskedSandbox {
  sandbox: SandboxName
  policy: CheckedPolicy | undefined
}

export function optionsFor(modes: ModeOptions, { sandbox, policy }: AskedSandbox): ResolvedOptions {
  if (sandbox !== 'custom' || policy === undefined)
    return modes[sandbox === 'custom' ? 'restricted' : sandbox]
  return modes.forPolicy(policy)
}

/** What the states of a session are told apart by. */
export const stateOf = ({ sandbox, policy }: ResolvedOptions): SandboxMode | SandboxPolicy =>
  sandbox === 'custom' || !isPreset(policy) ? (policy ?? 'restricted') : sandbox

/**
 * What the description of a tool has to say of the sandbox; undefined for Unrestricted mode.
 *
 * @param session whose beginning is where relative paths of a policy begin
 */
export function restrictionOf(
  modes: ModeOptions,
  asked: AskedSandbox,
  session?: BashSession,
): Restriction | undefined {
  if (asked.sandbox === 'unrestricted') return undefined
  const { scratch, sandbox, policy } = optionsFor(modes, asked)
  const base = session?.initialDirectory
  return { scratch: scratch !== undefined, missing: sandboxSupport().missing, sandbox, policy, base }
}

/** Where the next call with this context would run: a session has a directory for each sandbox. */
export const directoryFor = (
  modes: ModeOptions,
  context: AskedSandbox & { session: BashSession | undefined; workingDir: string },
): string => context.session?.workingDirIn(stateOf(optionsFor(modes, context))) ?? context.workingDir
