// What every tool that runs bash does around a call: check the input, log, and turn errors into results.

import { describeError } from '../errors.js'
import { blankResult } from '../run/blank-result.js'
import { elapsedMs } from '../run/elapsed.js'
import { checkCommandText } from '../run/options.js'
import type { BashResult } from '../run/result.js'
import type { InputOf, JsonSchema } from '../util/schema/json-schema.js'
import { validInput } from '../util/schema/valid-input.js'
import { commandLog } from './command-log.js'
import { commandOf, sandboxOf } from './unchecked.js'

export interface CheckedCall<Schema extends JsonSchema> {
  /** The tool's name. */
  tool: string
  schema: Schema
  input: unknown
  context: unknown
  /** Shows a command where the result does not: before it runs, and when it cannot. Never throws. */
  display(command: string): string
  run(input: CommandInput<Schema>): Promise<BashResult>
}

type CommandInput<Schema extends JsonSchema> = InputOf<Schema> & { command: string }

/** Never rejects: `invalid` is the input's fault, `error` the system's or that of an unusable context. */
export async function checkedCall<Schema extends JsonSchema>(call: CheckedCall<Schema>): Promise<BashResult> {
  const { tool, input, context, display } = call
  const log = commandLog(tool, commandOf(input), context, display)
  const startedAt = performance.now()
  const result = await checkAndRun(call)
  if (result.durationMs === 0) result.durationMs = elapsedMs(startedAt)
  log.end(result)
  return result
}

async function checkAndRun<Schema extends JsonSchema>({
  schema,
  input,
  context,
  display,
  run,
}: CheckedCall<Schema>): Promise<BashResult> {
  const errorResult = (status: 'invalid' | 'error', command: string, error: unknown): BashResult => ({
    ...blankResult(command, status, sandboxOf(context)),
    display: display(command),
    error: describeError(error),
  })
  let checked: CommandInput<Schema>
  try {
    checked = validInput(schema, input) as CommandInput<Schema>
    checkCommandText(checked.command)
  } catch (error) {
    return errorResult('invalid', commandOf(input), error)
  }
  try {
    return await run(checked)
  } catch (error) {
    return errorResult('error', checked.command, error)
  }
}
