// The input of the server's bash tool: that of the bash tool, and a timeout of the caller's as the suite's Bash has it.

import { withStandard } from '../../base/util/schema/standard-schema.js'
import { type BashMode, bashSchema } from '../../tools/bash-schema.js'
import { maxTimeoutMs, bashSchema as suiteBashSchema } from '../../tools/suite/schemas.js'

/**
 * @param timeouts milliseconds
 * @param tty where commands can have terminals
 */
export function limitedBashSchema(
  timeouts: Readonly<Record<BashMode, number>>,
  tty?: { type: 'boolean'; description: string },
) {
  const { type, properties, required, additionalProperties } = bashSchema(timeouts)
  const timeout = {
    ...suiteBashSchema.properties.timeout,
    description: `Timeout in milliseconds, instead of the mode's (max ${maxTimeoutMs})`,
  } as const
  const all = { ...properties, timeout, ...(tty && { tty }) }
  return withStandard({ type, properties: all, required, additionalProperties })
}

export type LimitedBashSchema = ReturnType<typeof limitedBashSchema>
