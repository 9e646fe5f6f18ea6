// The input of the bash tool: REQ-BASH-005 (docs/requirements.md).

import type { InputOf } from '../base/util/schema/json-schema.js'
import { withStandard } from '../base/util/schema/standard-schema.js'
import { canWrite, describeTool, isOnline, type Restriction } from '../guard/sandbox/description.js'

export const bashModes = ['default', 'slow', 'background'] as const
export type BashMode = (typeof bashModes)[number]

/** Milliseconds: REQ-BASH-002 and REQ-BASH-003 (docs/requirements.md). */
export const defaultTimeouts: Readonly<Record<BashMode, number>> = {
  default: 30_000,
  slow: 900_000,
  background: 86_400_000,
}

/** The same for every context. The model is told the timeouts that hold. */
export function bashSchema(timeouts: Readonly<Record<'default' | 'slow', number>>) {
  const [normal, slow] = [formatDuration(timeouts.default), formatDuration(timeouts.slow)]
  return withStandard({
    type: 'object',
    properties: {
      command: { type: 'string', description: 'Shell command to execute via bash -c' },
      mode: {
        type: 'string',
        enum: bashModes,
        description: `Execution mode: default (${normal} timeout), slow (${slow} timeout), background (detached)`,
      },
    },
    required: ['command'],
    additionalProperties: false,
  })
}

export type BashSchema = ReturnType<typeof bashSchema>
export type BashInput = InputOf<BashSchema>

const opening = 'Executes shell commands via bash -c, returning combined stdout/stderr.'

const stateless = "Bash state changes (working dir, variables, aliases) don't persist between calls."

const background = `With mode="background", returns immediately with output redirected to a file.`

const anyMode = `${background}
Use background for servers/demos that need to stay running.

Use mode="slow" for potentially slow commands: builds, downloads,
installs, tests, or any other substantive operation.

IMPORTANT: Keep commands concise. The command input must be less than 60k tokens.
For complex scripts, write them to a file first and then execute the file.`

/** Without the advice that Restricted mode does not let anybody follow. */
const readingMode = `${background}

Use mode="slow" for potentially slow commands: tests, searches in large trees,
or any other substantive operation.

IMPORTANT: Keep commands concise. The command input must be less than 60k tokens.`

/** Without a network there is nothing to download. */
const writingMode = (isOnline: boolean) => `${background}

Use mode="slow" for potentially slow commands: builds, ${isOnline ? 'downloads,\ninstalls, tests, ' : 'tests,\n'}or any other substantive operation.

IMPORTANT: Keep commands concise. The command input must be less than 60k tokens.
For complex scripts, write them to a file first and then execute the file.`

/** What a session does not take over. */
export const notKept = 'Changes made by a call that times out or runs in the background are not kept.'

const stateful = `Bash state (working dir, variables, functions, aliases) persists between calls.\n${notKept}`

/**
 * What the model reads of the tool; in a sandbox with its constraints.
 *
 * @param persists whether calls share a session
 * @param backgroundAfter milliseconds
 */
export function describeBashTool(
  workingDir: string,
  restriction?: Restriction,
  refusals?: string,
  persists = false,
  backgroundAfter?: number,
): string {
  const state = persists ? stateful : stateless
  const modes = restriction === undefined ? anyMode : confinedModes(restriction)
  const softLimit = backgroundAfter === undefined ? '' : `\n\n${describeSoftLimit(backgroundAfter)}`
  return describeTool(`${opening}\n${state}\n\n${modes}${softLimit}`, workingDir, restriction, refusals)
}

/** What the model reads of `backgroundAfter`. */
export function describeSoftLimit(milliseconds: number): string {
  return `A command that still runs after ${formatDuration(milliseconds)} goes on in the background, and the result says so.
It has not failed: do not run it again.`
}

function confinedModes(restriction: Restriction): string {
  return canWrite(restriction) ? writingMode(isOnline(restriction)) : readingMode
}

/** `30s`, `15min`. */
export function formatDuration(milliseconds: number): string {
  return milliseconds % 60_000 === 0 ? `${milliseconds / 60_000}min` : `${milliseconds / 1000}s`
}
