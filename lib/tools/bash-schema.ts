// The input of the bash tool (000/REQ-BASH-006, 003 "Schema"): constant, so that a prompt cache holds.

import type { InputOf } from '../schema/json-schema.js'
import { withStandard } from '../schema/standard-schema.js'

export const bashSchema = withStandard({
  type: 'object',
  properties: {
    command: { type: 'string', description: 'Shell command to execute via bash -c' },
    mode: {
      type: 'string',
      enum: ['default', 'slow', 'background'],
      description: 'Execution mode: default (30s timeout), slow (15min timeout), background (detached)',
    },
  },
  required: ['command'],
  additionalProperties: false,
})

export type BashInput = InputOf<typeof bashSchema>
export type BashMode = NonNullable<BashInput['mode']>

/** The template of 003, "Description Template". */
export function describeBashTool(workingDir: string): string {
  return `Executes shell commands via bash -c, returning combined stdout/stderr.
Bash state changes (working dir, variables, aliases) don't persist between calls.

With mode="background", returns immediately with output redirected to a file.
Use background for servers/demos that need to stay running.

Use mode="slow" for potentially slow commands: builds, downloads,
installs, tests, or any other substantive operation.

IMPORTANT: Keep commands concise. The command input must be less than 60k tokens.
For complex scripts, write them to a file first and then execute the file.

<pwd>${workingDir}</pwd>`
}
