// What every tool that runs bash does around a call: check the input, log, and turn errors into results.

import { elapsedMs } from '../engine/elapsed.js'
import { checkCommand } from '../engine/options.js'
import { blankResult } from '../engine/result.js'
import { BashError } from '../errors.js'
import type { BashResult, SandboxMode } from '../result.js'
import type { InputOf, JsonSchema } from '../schema/json-schema.js'
import { validate } from '../schema/validate.js'
import { commandLog } from './command-log.js'
import { commandOf, sandboxOf } from './unchecked.js'

/** Never rejects: `invalid` is the input's fault, `error` the system's or that of an unusable context. */
export async function checkedCall<Schema extends JsonSchema>(
  tool: string,
  schema: Schema,
  input: unknown,
  context: unknown,
  run: (input: InputOf<Schema> & { command: string }) => Promise<BashResult>,
): Promise<BashResult> {
  const log = commandLog(tool, commandOf(input), context)
  const startedAt = performance.now()
  const result = await checkAndRun(schema, input, sandboxOf(context), run)
  if (result.durationMs === 0) result.durationMs = elapsedMs(startedAt)
  log.end(result)
  return result
}

async function checkAndRun<Schema extends JsonSchema>(
  schema: Schema,
  input: unknown,
  sandbox: SandboxMode,
  run: (input: InputOf<Schema> & { command: string }) => Promise<BashResult>,
): Promise<BashResult> {
  const errorResult = (status: 'invalid' | 'error', command: string, error: unknown): BashResult => ({
    ...blankResult(command, status, sandbox),
    error: describeError(error),
  })
  const validation = validate(schema, input)
  if (!validation.ok) {
    const message = validation.issues.map((issue) => issue.message).join('; ')
    return errorResult('invalid', commandOf(input), new BashError('ERR_INVALID_INPUT', message))
  }
  const checked = validation.value as InputOf<Schema> & { command: string }
  try {
    checkCommand(checked.command)
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
