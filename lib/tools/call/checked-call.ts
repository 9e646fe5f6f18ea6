// What every tool that runs bash does around a call: check the input, log, and turn errors into results.

import { describeError } from '../../base/errors.js'
import { part } from '../../base/util/load-part.js'
import type { InputOf, JsonSchema } from '../../base/util/schema/json-schema.js'
import { validInput } from '../../base/util/schema/validate.js'
import { checkCommandText } from '../../commands/run/command-text.js'
import { type BashResult, blankResult, elapsedMs } from '../../commands/run/result.js'
import { simplifyCommand } from '../../processes/output/simplify-command.js'
import type { ResolvedContext } from '../context.js'
import { optionsFor } from '../modes.js'
import type { Tool } from '../types.js'
import { judgeCall } from './admit.js'
import type { Call, ToolParts } from './call.js'
import type { Received } from './call-methods.js'
import { callOnce } from './call-once.js'
import type * as Characters from './command-characters.js'
import { commandLog, sandboxOf, textOf } from './command-log.js'

/** What a tool was made with. */
export interface CommandTool<Schema extends JsonSchema> extends ToolParts {
  name: string
  schema: Schema
  /** Whether calls whose context has no session share one. */
  sharesSession?: boolean
  /** Whether commands are run to the character as they are given, and nothing is said of those that nobody sees. */
  isExact?: true
  /** Throws for a command that the schema lets through. Mistakes in the input are reported before those in the context. */
  checkCommand?: (command: string) => void
  /** Describes an error that kept a command from running. Default: code and message of the error. */
  describeFailure?: typeof describeError
}

type ErrorFields = NonNullable<BashResult['error']>

export type CommandInput<Schema extends JsonSchema> = InputOf<Schema> & { command: string }

type Run<Schema extends JsonSchema> = (
  input: CommandInput<Schema>,
  context: ResolvedContext<never>,
) => Promise<BashResult>

/**
 * Never rejects: `invalid` is the input's fault, `error` the system's or that of an unusable context.
 *
 * @param run may reject
 */
export async function checkedCall<Schema extends JsonSchema>(
  tool: CommandTool<Schema>,
  received: Received<never>,
  run: Run<Schema>,
): Promise<BashResult> {
  const { input, given, context } = received
  const display = (command: string) => displayBeforehand(tool, context, command)
  const log = commandLog(tool.name, textOf(input, 'command') ?? '', given, display)
  const startedAt = performance.now()
  const result = await checkAndRun(tool, received, run)
  if (result.durationMs === 0) result.durationMs = elapsedMs(startedAt)
  log.end(result)
  return result
}

async function checkAndRun<Schema extends JsonSchema>(
  tool: CommandTool<Schema>,
  received: Received<never>,
  run: Run<Schema>,
): Promise<BashResult> {
  const { input, given, context, fault } = received
  const { schema, describeFailure = describeError } = tool
  const errorResult = (status: 'invalid' | 'error', command: string, error: ErrorFields): BashResult => ({
    ...blankResult(command, status, sandboxOf(given)),
    display: displayBeforehand(tool, context, command),
    error,
  })
  let checked: CommandInput<Schema>
  try {
    checked = validInput(schema, input) as CommandInput<Schema>
    checkCommandText(checked.command)
  } catch (error) {
    return errorResult('invalid', textOf(input, 'command') ?? '', describeError(error))
  }
  try {
    tool.checkCommand?.(checked.command)
    if (context === undefined) throw fault
    const { calls, name, jobs, sharesSession } = tool
    return await asRead(tool, checked, async (read) => {
      if (calls === undefined) return await run(read, context)
      const { command } = read
      const failed = (error: unknown) => errorResult('error', command, describeFailure(error))
      const sent = read === checked ? input : read
      return await callOnce(
        { calls, name, jobs, sharesSession, command, input: sent, given, context, failed },
        async (mark) => await run(read, { ...context, mark }),
      )
    })
  } catch (error) {
    return errorResult('error', checked.command, describeFailure(error))
  }
}

/** What bash does not take for what it looks like: other spaces, and ends of lines of another system. */
const unseen = /[\r\x85\xa0\xad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2069\u3000\ufeff]/
const characters = part((): typeof Characters => require('./command-characters.js'))

/** Runs what a command is without a byte order mark and CRLF; the result has it as it was given. */
async function asRead<Input extends { command: string }>(
  { isExact }: { isExact?: true },
  input: Input,
  run: (input: Input) => Promise<BashResult>,
): Promise<BashResult> {
  const { command } = input
  if (isExact || !unseen.test(command)) return await run(input)
  const { readCommand, tellGiven, tellUnseen } = characters()
  const read = readCommand(command)
  const result = await run(read === undefined ? input : { ...input, command: read.text })
  if (result.status === 'failed') tellUnseen(result, read?.text ?? command)
  if (read !== undefined) tellGiven(result, command, read)
  return result
}

/**
 * What a tool with `verdicts` has besides.
 *
 * @param resolve checks a context; may throw
 */
export function judgeMethod<Schema extends JsonSchema, Context, Result>(
  tool: CommandTool<Schema>,
  resolve: (context: Context) => ResolvedContext<Result>,
  callOf: (input: CommandInput<Schema>, context: ResolvedContext<never>) => Call,
): Pick<Tool<never, Result>, 'judge'> {
  const { verdicts } = tool
  if (verdicts === undefined) return {}
  return {
    async judge(input, context) {
      const checked = validInput(tool.schema, input) as CommandInput<Schema>
      const { command } = checked
      checkCommandText(command)
      tool.checkCommand?.(command)
      const resolved = resolve(context as Context) as ResolvedContext<never>
      const read = unseen.test(command) ? characters().readCommand(command) : undefined
      if (read === undefined) return await judgeCall(callOf(checked, resolved), verdicts)
      const judgement = await judgeCall(callOf({ ...checked, command: read.text }, resolved), verdicts)
      characters().placeInGiven(judgement.reasons, command, read)
      return judgement
    },
  }
}

/**
 * The command as shown in the log when a call comes in, and in the result when it cannot run. With a session it is shown
 * as it is: the session may be in another directory by the time the call has its turn.
 */
function displayBeforehand(
  { modes, sharesSession }: Pick<CommandTool<JsonSchema>, 'modes' | 'sharesSession'>,
  context: ResolvedContext<never> | undefined,
  command: string,
): string {
  if (context === undefined || context.session !== undefined || sharesSession) return command
  try {
    const { environment } = optionsFor(modes, context)
    return simplifyCommand(command, context.workingDir, environment.current().home)
  } catch {
    return command
  }
}
