// What the structured content of the tools has besides where commands can have terminals, and that of bash_input.

import type { BashInputResult } from '../../tools/tty/bash-input.js'
import {
  error,
  exitCode,
  flag,
  integer,
  judgement,
  readable,
  redacted,
  sandboxFields,
  signal,
  text,
  waitingFor,
} from './schemas.js'

/** Of a command that runs in a terminal. */
const terminalFields = {
  state: {
    type: 'object',
    properties: {
      verdict: {
        ...text,
        description: 'What the program does: line, keys, password, watching, busy, sleep, …',
      },
      reason: { ...text, description: 'Why the call returned: input, deadline, …' },
      likely: flag,
      program: { ...text, description: 'Its name, which it may have chosen itself' },
      prompt: { ...text, description: 'The line up to the cursor, as the program has written it' },
      secret: { type: 'string', enum: ['certain', 'likely'], description: 'A secret is asked for' },
      waitingFor,
    },
    required: ['verdict', 'reason', 'likely', 'prompt'],
    description: 'How its terminal is; none when it has ended',
  },
  screen: {
    type: 'object',
    properties: {
      rows: integer,
      cols: integer,
      cursor: {
        type: 'object',
        properties: { row: integer, col: integer, visible: flag },
        required: ['row', 'col', 'visible'],
      },
      incomplete: flag,
    },
    required: ['rows', 'cols', 'cursor', 'incomplete'],
    description: 'The screen whose text is the output',
  },
  screenError: { ...text, description: 'Why there is no screen' },
  secretAnswers: {
    type: 'array',
    items: { type: 'object', properties: { outcome: text, message: text }, required: ['outcome'] },
    description: 'What has become of questions to a person for secrets',
  },
} as const

const nextOffset = {
  ...integer,
  description: 'The offset of bash_output that goes on behind the output',
} as const

/** The schema of a tool's result, with what a terminal adds. */
export const withTerminal = <Schema extends { properties: object }>(schema: Schema) => ({
  ...schema,
  properties: { nextOffset, ...schema.properties, ...terminalFields },
})

/** A `BashInputResult`. */
export const bashInputResultSchema = {
  type: 'object',
  properties: {
    status: {
      type: 'string',
      enum: ['running', 'completed', 'failed', 'killed', 'timed_out', 'lost', 'rejected', 'error'],
    },
    output: { ...text, description: 'What is new, or the text of the screen' },
    exitCode,
    signal,
    outputBytes: integer,
    truncated: flag,
    binary: flag,
    readable,
    nextOffset,
    droppedBytes: integer,
    unsearchedBytes: integer,
    heldBytes: { ...integer, description: 'Bytes at the end that may begin a withheld value: read on later' },
    ...terminalFields,
    droppedInput: { ...integer, description: 'Bytes that were typed before and will not be read' },
    rejection: {
      type: 'object',
      properties: { rule: text, why: text },
      required: ['rule'],
      description: 'The rule that refused it',
    },
    judgement,
    ...sandboxFields,
    redacted,
    error,
  } satisfies Record<Exclude<keyof BashInputResult, 'news'>, object>,
  required: ['status', 'output', 'exitCode', 'signal', 'outputBytes', 'nextOffset'],
} as const
