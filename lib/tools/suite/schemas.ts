// The inputs of the suite's tools: `Bash`, `BashOutput`, `KillBash`.

import type { InputOf } from '../../base/util/schema/json-schema.js'
import { withStandard } from '../../base/util/schema/standard-schema.js'

/** Milliseconds. */
export const defaultTimeoutMs = 120_000
export const maxTimeoutMs = 600_000

export const bashSchema = withStandard({
  type: 'object',
  properties: {
    command: { type: 'string', description: 'The command to execute' },
    timeout: {
      type: 'integer',
      minimum: 1,
      maximum: maxTimeoutMs,
      description: `Timeout in milliseconds (default ${defaultTimeoutMs}, max ${maxTimeoutMs})`,
    },
    description: { type: 'string', description: 'What this command does, in 5-10 words' },
    run_in_background: {
      type: 'boolean',
      description: 'Run the command in the background. Use BashOutput to read its output later',
    },
  },
  required: ['command'],
  additionalProperties: false,
})

/** What a call may wait, milliseconds: clients give up after a minute. */
export const maxWaitMs = 60_000
/** For a line, unless it says otherwise. */
export const defaultWaitMs = 30_000
const maxTailLines = 10_000

export const bashOutputSchema = withStandard({
  type: 'object',
  properties: {
    bash_id: {
      type: 'string',
      description: 'The ID of the background command; without it, all of them are listed',
    },
    filter: {
      type: 'string',
      description: 'A regular expression: only lines that match it are returned (RE2 syntax)',
    },
    offset: {
      type: 'integer',
      minimum: 0,
      description: 'Return the output from this byte on: 0, or nextOffset of an earlier call (default 0)',
    },
    wait_ms: {
      type: 'integer',
      minimum: 0,
      maximum: maxWaitMs,
      description: `Wait up to so many milliseconds for its end, or for until (default 0, with until ${defaultWaitMs})`,
    },
    until: {
      type: 'string',
      description:
        'A regular expression (RE2): the wait ends when a line of the output, from offset on, matches it',
    },
    tail_lines: {
      type: 'integer',
      minimum: 1,
      maximum: maxTailLines,
      description: 'Return only so many of the last lines',
    },
  },
  additionalProperties: false,
})

export const killBashSchema = withStandard({
  type: 'object',
  properties: {
    bash_id: { type: 'string', description: 'The ID of the background command to kill' },
  },
  required: ['bash_id'],
  additionalProperties: false,
})

/** `tty`: of a suite whose commands can have terminals, and so `screen`. */
export type SuiteBashInput = InputOf<typeof bashSchema> & { tty?: boolean }
export type BashOutputInput = InputOf<typeof bashOutputSchema> & { screen?: boolean }
export type KillBashInput = InputOf<typeof killBashSchema>
