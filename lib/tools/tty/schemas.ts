// The inputs of the suite's tools where commands can have a terminal.

import type { InputOf } from '../../base/util/schema/json-schema.js'
import { withStandard } from '../../base/util/schema/standard-schema.js'
import { bashOutputSchema, bashSchema, maxWaitMs } from '../suite/schemas.js'

/** Milliseconds that Bash and BashInput wait unless it is said otherwise. */
export const defaultInputWaitMs = 10_000

const screen = {
  type: 'boolean',
  description: 'Return the whole screen; full-screen programs give it anyway',
} as const

/** What the tools are called. */
export interface ToolNames {
  input: string
  output: string
  kill: string
}

export const suiteNames: ToolNames = { input: 'BashInput', output: 'BashOutput', kill: 'KillBash' }

export const ttyProperty = ({ input }: ToolNames) =>
  ({
    type: 'boolean',
    description: `Run the command in a terminal, for a program that asks or fills the screen. Type into it with ${input}`,
  }) as const

export const ttyBashSchema = withStandard({
  ...bashSchema,
  properties: { ...bashSchema.properties, tty: ttyProperty(suiteNames) },
})

export const ttyBashOutputSchema = withStandard({
  ...bashOutputSchema,
  properties: { ...bashOutputSchema.properties, screen },
})

export const bashInputSchema = withStandard({
  type: 'object',
  properties: {
    bash_id: { type: 'string', description: 'The ID of a command that was started with tty' },
    text: { type: 'string', description: 'The text to type. Either text or keys' },
    keys: {
      type: 'array',
      items: { type: 'string' },
      description:
        'The keys to press, such as Enter, Up, Escape, Tab, BSpace, PPage, F1, C-c, M-x, or single characters',
    },
    submit: { type: 'boolean', description: 'Whether Enter follows the text (default true)' },
    wait_ms: {
      type: 'integer',
      minimum: 0,
      maximum: maxWaitMs,
      description: `Return after so many milliseconds at the latest (default ${defaultInputWaitMs}); earlier when input is waited for`,
    },
    screen,
  },
  required: ['bash_id'],
  additionalProperties: false,
})

export type BashInputInput = InputOf<typeof bashInputSchema>
