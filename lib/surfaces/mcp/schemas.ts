// What the structured content of the three tools looks like, as the server tells its clients.

import type { TerminalFields } from '../../terminals/terminal/report.js'
import type { LimitedBashResult } from './bash.js'

export const integer = { type: 'integer' } as const
export const text = { type: 'string' } as const
export const flag = { type: 'boolean' } as const
export const exitCode = {
  type: ['integer', 'null'],
  description: '0 to 255; null when there is none',
} as const
export const signal = {
  type: ['string', 'null'],
  description: 'The signal that ended it, such as SIGSEGV',
} as const
export const error = {
  type: 'object',
  properties: { code: text, message: text },
  required: ['code', 'message'],
} as const

export const redacted = {
  type: 'object',
  additionalProperties: integer,
  description: 'How often the value of each of these withheld variables was taken out of the output',
} as const

const listening = {
  type: 'array',
  items: {
    type: 'object',
    properties: { address: text, port: integer, pid: integer, otherNetwork: flag },
    required: ['address', 'port', 'pid'],
  },
  description: 'Where it listens on TCP while it runs',
} as const

/** What a command was confined by, and what that has refused and found. */
export const sandboxFields = {
  sandbox: { type: 'string', enum: ['unrestricted', 'restricted', 'workspace', 'custom'] },
  denied: { ...text, description: 'What the sandbox has probably refused' },
  denials: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        operation: text,
        target: { ...text, description: 'As far as it is known: a path, a host, a process; else empty' },
        grant: { type: 'object', description: 'What a policy would have to have besides to allow it' },
        inferred: { ...flag, description: 'It is concluded from the output' },
      },
      required: ['operation', 'target'],
    },
    description: 'What the sandbox has refused',
  },
  denialsDropped: { ...integer, description: 'How many denials are not listed' },
  protectedChanged: {
    type: 'array',
    items: text,
    description: 'Files that the command has changed, and other programs may execute',
  },
  protectedDropped: { ...integer, description: 'How many more of them may have changed' },
} as const

export const waitingFor = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      pid: integer,
      command: text,
      kind: text,
      text: { ...text, description: 'Such as: asleep for 43 more seconds' },
      peer: { type: 'object', properties: { pid: integer, command: text }, required: ['pid', 'command'] },
    },
    required: ['pid', 'command', 'kind', 'text'],
  },
  description: 'What its processes were waiting for, or doing',
} as const

/** In the structured content of whatever tool is called next. */
export const news = {
  type: 'array',
  items: text,
  description: 'Background commands of earlier calls that have ended: a sentence for each, told once',
} as const

export const judgement = {
  type: 'object',
  properties: {
    decision: { type: 'string', enum: ['allow', 'ask', 'deny'] },
    reasons: { type: 'array', items: { type: 'object', properties: { rule: text, message: text } } },
  },
  required: ['decision', 'reasons'],
  description: 'What was decided about the command before it ran, and why',
} as const

/** What the caller knows already, what it has no use for, what only commands in a terminal have, and what each tool has. */
type LeftOut =
  | 'news'
  | 'command'
  | 'display'
  | 'usage'
  | 'enforced'
  | 'removedEnv'
  | 'nextOffset'
  | keyof TerminalFields

export const readable = {
  type: 'object',
  properties: { output: text, note: text },
  description: 'Of binary output, what the text shows in its place, and says of it',
} as const

/** A `BashResult` without the command. */
export const bashResultSchema = {
  type: 'object',
  properties: {
    status: {
      type: 'string',
      enum: ['completed', 'failed', 'timed_out', 'cancelled', 'rejected', 'background', 'invalid', 'error'],
      description: 'completed: exit code 0. background: it still runs as the job jobId',
    },
    notice: { ...text, description: 'Why the call was answered while the command still runs' },
    listening,
    output: { ...text, description: 'stdout and stderr in their order; of a job that runs, so far' },
    exitCode,
    answer: { ...text, description: 'Of exit code 1 that is no failure of the program: what it says' },
    answerText: text,
    commandNotes: { type: 'array', items: text, description: 'Characters of the command that nobody sees' },
    signal,
    durationMs: { type: 'number' },
    outputBytes: integer,
    truncated: flag,
    binary: flag,
    readable,
    savedOutput: { ...text, description: 'The file with the output that was too long' },
    savedOutputBytes: integer,
    savedOutputError: text,
    pid: integer,
    pgid: integer,
    jobId: { ...text, description: 'The bash_id for bash_output and kill_bash' },
    outputFile: text,
    backgroundAfterMs: {
      ...integer,
      description: 'When the command, which has not finished, became that job',
    },
    sessionUnsaved: { ...text, description: 'Why the call has left nothing to the session' },
    backgroundError: { ...text, description: 'Why it did not' },
    ...sandboxFields,
    limit: { type: 'string', enum: ['memory', 'cpu', 'processes', 'fileSize', 'scratch'] },
    limitValue: { type: 'number' },
    timeoutMs: integer,
    waitingFor,
    survivors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { pid: integer, command: text, daemon: flag },
        required: ['pid', 'command', 'daemon'],
      },
    },
    loginError: { ...text, description: 'Why what start-up files set is missing' },
    redacted,
    rejection: {
      type: 'object',
      properties: {
        rule: text,
        match: {
          type: 'object',
          properties: { start: integer, end: integer, text },
          required: ['start', 'end', 'text'],
        },
        why: { ...text, description: 'Why nobody has approved it' },
      },
      required: ['rule', 'match'],
      description: 'The rule that refused the command, and what of it',
    },
    judgement,
    readConfined: { ...flag, description: 'It is known to only read, and so ran confined' },
    granted: {
      type: 'array',
      items: { type: 'object' },
      description: 'What a person has granted, before the command ran again',
    },
    replayed: { ...flag, description: 'The call had been made before, and this is what it came to' },
    outputLost: { ...flag, description: 'It has run, and what it printed was not kept' },
    error,
  } satisfies Record<Exclude<keyof LimitedBashResult, LeftOut>, object>,
  required: ['status', 'output', 'exitCode', 'signal', 'durationMs', 'outputBytes', 'truncated', 'sandbox'],
} as const

/** A `BashOutputResult`. */
export const bashOutputResultSchema = {
  type: 'object',
  properties: {
    status: {
      type: 'string',
      enum: ['running', 'completed', 'failed', 'killed', 'timed_out', 'lost', 'listed', 'error'],
    },
    output: text,
    exitCode,
    signal,
    outputBytes: integer,
    truncated: flag,
    binary: flag,
    readable,
    nextOffset: { ...integer, description: 'The offset that goes on where this output ends' },
    droppedBytes: integer,
    unsearchedBytes: integer,
    heldBytes: { ...integer, description: 'Bytes at the end that may begin a withheld value: read on later' },
    waitingFor,
    listening,
    waitedMs: { ...integer, description: 'What the call has waited, milliseconds' },
    matched: { type: ['string', 'null'], description: 'The line that until has matched; null: none has' },
    jobs: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: text,
          status: text,
          command: text,
          startedAt: { ...integer, description: 'Milliseconds since the epoch' },
          endedAt: { type: ['number', 'null'] },
          exitCode,
          signal,
          listening,
          lastLine: text,
        },
        required: ['id', 'status', 'command', 'startedAt', 'endedAt', 'exitCode', 'signal', 'lastLine'],
      },
      description: 'The background commands of this server: of a call without bash_id',
    },
    moreJobs: { ...integer, description: 'How many of them are not listed' },
    ...sandboxFields,
    redacted,
    error,
  },
  required: ['status', 'output', 'exitCode', 'signal', 'outputBytes', 'nextOffset'],
} as const

/** A `KillBashResult`. */
export const killBashResultSchema = {
  type: 'object',
  properties: { status: { type: 'string', enum: ['killed', 'not_running', 'error'] }, error },
  required: ['status'],
} as const
