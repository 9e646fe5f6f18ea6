// The suite's tools where commands can have terminals: what Bash and BashOutput do besides, and BashInput. Loaded by a suite with
// `tty`.

import { once } from '../../base/util/lazy.js'
import type { ReadJobOptions } from '../../commands/jobs/read.js'
import type { JobStore } from '../../commands/jobs/store.js'
import type { BashResult } from '../../commands/run/result.js'
import { type AskingOptions, checkAsking } from '../../terminals/terminal/ask-person.js'
import { SecretQuestions } from '../../terminals/terminal/secret-questions.js'
import type { Call } from '../call/call.js'
import type { ModeOptions } from '../modes.js'
import { maxWaitMs } from '../suite/schemas.js'
import type { CheckedTty } from '../tty-option.js'
import { type BashInputParts, type BashInputTool, createBashInput } from './bash-input.js'
import { suiteNames, type ToolNames, ttyBashOutputSchema, ttyBashSchema, ttyProperty } from './schemas.js'
import { SeenOutput } from './seen.js'
import { showStarted, startedText } from './started.js'
import { lookAtTerminal, type TerminalView, type ViewOptions } from './view.js'

/** What Bash does with a command in a terminal. */
export interface BashTerminals {
  schema: typeof ttyBashSchema
  /** What of it is different. */
  property: ReturnType<typeof ttyProperty>
  /** A line of its description. */
  description: string
  /** What is refused, for want of a terminal, is so without tty only. */
  describeRefusals(refusals: string): string
  /** The options of such commands. */
  modes(): ModeOptions
  /** Of a command that was to run without one: whether it needs one. */
  hint(result: BashResult): BashResult
  show(started: BashResult, call: Call, atOnce: boolean): Promise<BashResult>
  /** @returns undefined for a result that is not of a terminal */
  text(result: BashResult): string | undefined
}

/** What BashOutput does with one. */
export interface BashOutputTerminals {
  schema: typeof ttyBashOutputSchema
  has(jobs: JobStore, id: string): Promise<boolean>
  /** @returns undefined for a command without a terminal */
  read(jobs: JobStore, id: string, options: ReadTerminalOptions): Promise<TerminalView | undefined>
}

export interface ReadTerminalOptions
  extends Pick<ReadJobOptions, 'filter' | 'offset' | 'tailLines'>,
    Pick<ViewOptions, 'waitMs' | 'maxChars' | 'redact' | 'explain' | 'signal'> {
  screen: boolean | undefined
}

export interface TtyTools {
  bash: BashTerminals
  bashOutput: BashOutputTerminals
  bashInput: BashInputTool
}

export type TtyParts = Omit<BashInputParts, 'modes' | 'seen' | 'names' | 'longestWaitMs' | 'questions'> & {
  /** What the option says of the person. */
  asking: CheckedTty['asking']
  /** Of commands that get a terminal. */
  modes: () => ModeOptions
  /** What the model has been given by other tools of the same conversation. */
  seen?: SeenOutput | undefined
  names?: ToolNames
  /** Milliseconds that a call waits at most, whatever it asks for. */
  longestWaitMs?: number
}

export { SeenOutput }

const describe = ({ input }: ToolNames) =>
  `With tty it runs in a terminal: for REPLs, editors, and programs that ask. The call returns when the program waits
for input, and at the latest after 10 seconds; type into it with ${input}.`

/** @throws {BashError} ERR_INVALID_INPUT for what the option says of the person */
export function createTtyTools({
  modes: modesOf,
  seen = new SeenOutput(),
  names = suiteNames,
  longestWaitMs = maxWaitMs,
  asking,
  ...parts
}: TtyParts): TtyTools {
  const modes = once(modesOf)
  const askPerson = checkAsking('tty', asking as AskingOptions)
  const open = (id: string) => parts.store().open(id)
  const questions = askPerson && { askPerson, pending: new SecretQuestions(open) }
  const all = { ...parts, seen, names, longestWaitMs, questions }
  return {
    bash: {
      schema: ttyBashSchema,
      property: ttyProperty(names),
      description: describe(names),
      describeRefusals: (refusals) => refusals.replace('(there is no terminal)', 'without tty'),
      modes,
      hint,
      show: (started, call, atOnce) => showStarted(all, started, call, atOnce),
      text: (result) => startedText(result, names),
    },
    bashOutput: {
      schema: ttyBashOutputSchema,
      has: hasTerminal,
      read: (jobs, id, options) => readTerminal(all, jobs, id, options),
    },
    // The options of commands without a terminal have the same environment for what is asked of them.
    bashInput: createBashInput({
      ...all,
      get modes() {
        return modes()
      },
    }),
  }
}

function hint(result: BashResult): BashResult {
  const { rejection, error } = result
  if (rejection?.rule !== 'needs-terminal' || error === undefined) return result
  return { ...result, error: { ...error, message: `${error.message} Or run it with tty.` } }
}

async function hasTerminal(jobs: JobStore, id: string): Promise<boolean> {
  const { record } = await jobs.wait(id, { timeoutMs: 0 })
  return record?.terminal !== undefined
}

async function readTerminal(
  { seen, questions }: Pick<BashInputParts, 'seen' | 'questions'>,
  jobs: JobStore,
  id: string,
  { offset: from = 0, screen = false, filter, ...options }: ReadTerminalOptions,
): Promise<TerminalView | undefined> {
  if (!(await hasTerminal(jobs, id))) return undefined
  const terminal = jobs.open(id)
  try {
    const view = await lookAtTerminal(jobs, id, terminal, { ...options, questions, filter, from, screen })
    if (filter === undefined) seen.set(id, view.nextOffset)
    return view
  } finally {
    terminal.close()
  }
}
