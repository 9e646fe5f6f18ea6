// What every tool that runs bash does around a call: check the input, log, and turn errors into results.

import { elapsedMs } from '../engine/elapsed.js'
import { checkCommandText } from '../engine/options.js'
import { blankResult } from '../engine/result.js'
import { BashError } from '../errors.js'
import type { BashResult } from '../result.js'
import type { InputOf, JsonSchema } from '../schema/json-schema.js'
import { validate } from '../schema/validate.js'
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
  const validation = validate(schema, input)
  if (!validation.ok) {
    const message = validation.issues.map((issue) => issue.message).join('; ')
    return errorResult('invalid', commandOf(input), new BashError('ERR_INVALID_INPUT', message))
  }
  const checked = validation.value as CommandInput<Schema>
  try {
    checkCommandText(checked.command)
  } catch (error) {
    return errorResult('invalid', checked.command, error)
  }
  try {
    return await run(checked)
  } catch (error) {
    return errorResult('error', checked.command, error)
  }
}

function describeError(error: unknown): { code: string; message: string } {
  const code = BashError.isInstance(error) ? error.code : 'ERR_INTERNAL'
  return { code, message: error instanceof Error ? error.message : String(error) }
}
