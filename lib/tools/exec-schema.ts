// The input of the exec tool.

import { describeTool, type Restriction } from '../sandbox/description.js'
import type { InputOf } from '../util/schema/json-schema.js'
import { withStandard } from '../util/schema/standard-schema.js'

export const execSchema = withStandard({
  type: 'object',
  properties: {
    command: { type: 'string', minLength: 1, description: 'The bash command to execute' },
  },
  required: ['command'],
  additionalProperties: false,
})

export type ExecSchema = typeof execSchema
export type ExecInput = InputOf<ExecSchema>

/** @param timeoutMs milliseconds */
export function describeExecTool(
  workingDir: string,
  timeoutMs: number,
  restriction?: Restriction,
  refusals?: string,
): string {
  const text = `Execute a bash command and return stdout/stderr

Commands are killed after ${timeoutMs / 1000}s. Of stdout and of stderr the first 1 MiB is returned.`
  return describeTool(text, workingDir, restriction, refusals)
}
