// What a tool is made with, for both modes: the conversation's is known only when it is called.

import type { OutputProfile } from '../output/profile.js'
import { type ResolvedOptions, type RunOptions, resolveOptions } from '../run/options.js'
import type { SandboxMode } from '../run/result.js'
import type { Restriction } from '../sandbox/description.js'
import { warnWithoutSandbox } from '../sandbox/requirements.js'
import { sandboxSupport } from '../sandbox/support.js'

export type ModeOptions = Record<SandboxMode, ResolvedOptions>

/**
 * Checked when the tool is made, and not at the first command. Where there is no Restricted mode, the host is warned.
 *
 * @param output how much output is kept; by default what the options say
 * @throws {BashError} ERR_INVALID_INPUT
 */
export function resolveForModes(
  options: Omit<RunOptions, 'cwd' | 'sandbox'>,
  output?: OutputProfile,
): ModeOptions {
  const { scratch: _, required: __, ...always } = options
  const bound = output === undefined ? {} : { output }
  const modes = {
    unrestricted: { ...resolveOptions({ ...always, cwd: '/' }), ...bound },
    restricted: { ...resolveOptions({ ...options, cwd: '/', sandbox: 'restricted' }), ...bound },
  }
  warnWithoutSandbox()
  return modes
}

/** What the description of a tool has to say of the mode; undefined for Unrestricted mode. */
export function restrictionOf(modes: ModeOptions, sandbox: SandboxMode): Restriction | undefined {
  if (sandbox === 'unrestricted') return undefined
  return { scratch: modes.restricted.scratch !== undefined, missing: sandboxSupport().missing }
}
