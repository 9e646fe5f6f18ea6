// What a tool is made with, for both modes: the conversation's is known only when it is called.

import type { CheckedCommandOptions } from '../run/command-options.js'
import { type ResolvedOptions, resolveCommandOptions } from '../run/options.js'
import type { SandboxMode } from '../run/result.js'
import type { Restriction } from '../sandbox/description.js'
import { warnWithoutSandbox } from '../sandbox/requirements.js'
import { sandboxSupport } from '../sandbox/support.js'

export type ModeOptions = Record<SandboxMode, ResolvedOptions>

/**
 * Where there is no Restricted mode, the host is warned.
 *
 * @param profile what of it is the tool's own
 */
export function resolveForModes(
  options: CheckedCommandOptions,
  profile: Partial<Pick<ResolvedOptions, 'output' | 'separateStreams'>> = {},
): ModeOptions {
  warnWithoutSandbox()
  return {
    unrestricted: { ...resolveCommandOptions(options, 'unrestricted'), ...profile },
    restricted: { ...resolveCommandOptions(options, 'restricted'), ...profile },
  }
}

/** What the description of a tool has to say of the mode; undefined for Unrestricted mode. */
export function restrictionOf(modes: ModeOptions, sandbox: SandboxMode): Restriction | undefined {
  if (sandbox === 'unrestricted') return undefined
  return { scratch: modes.restricted.scratch !== undefined, missing: sandboxSupport().missing }
}
