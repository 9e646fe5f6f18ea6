// What every tool is, whatever framework calls it.

import type { InputSchema } from '../base/util/schema/standard-schema.js'
import type { BashEvent, BashResult } from '../commands/run/result.js'
import type { BashSession } from '../commands/session/bash-session.js'
import type { SandboxMode, SandboxPolicy } from '../guard/sandbox/policy.js'
import type { Judgement } from '../guard/verdicts/judgement.js'
import type { Policy } from '../guard/verdicts/policy/policy.js'

/**
 * Everything a call needs to know about its conversation. A tool keeps none of it. A wrong value and a field that is not
 * listed here are ERR_INVALID_INPUT: in the result of `execute()` and `stream()`, and thrown by `description()`.
 * Source: REQ-BASH-010 (docs/requirements.md).
 */
export interface ToolContext<Result = BashResult> {
  /** Where commands run. A relative path is taken from the process's own directory. */
  workingDir: string
  /** Aborting it kills the command and everything it started. */
  cancel?: AbortSignal | undefined
  /** The conversation's mode, or a policy of its own. Default `'unrestricted'`. */
  sandbox?: SandboxMode | SandboxPolicy | undefined
  /** For logs and the ownership of jobs. */
  conversationId?: string | undefined
  toolCallId?: string | undefined
  /** Remembers variables, functions and the directory from call to call. Its directory then counts, not `workingDir`. */
  session?: BashSession | undefined
  /** Called with `start`, pieces of output, and `result`. */
  onEvent?: ((event: BashEvent<Result>) => void) | undefined
  /** Rules of the conversation, for a tool with `verdicts`: they count besides those of the tool. */
  policy?: Policy | undefined
}

/** @typeParam Context what its calls are given: of a fleet's tools that has no directory */
export interface Tool<Input, Result, Context = ToolContext<Result>> {
  readonly name: string
  /** What the model is told; it depends on the context. */
  description(context: Context): string
  /** Plain JSON Schema; a hidden `~standard` makes it a Standard Schema too. */
  readonly inputSchema: InputSchema<Input>
  /** Runs a call. What the input or the command did wrong is a result, never a rejection. */
  execute(input: unknown, context: Context): Promise<Result>
  /** The same, step by step. Breaking out of the loop kills the command. */
  stream(input: unknown, context: Context): AsyncIterable<BashEvent<Result>>
  /** Exactly what the model reads. */
  toText(result: Result): string
  /**
   * What the tool would decide about a call; nothing runs. Only tools with `verdicts` have it.
   *
   * @throws {BashError} (rejects) ERR_INVALID_INPUT for an input or a context that cannot be used; ERR_SAFETY_RULE when a
   *   rule of the host fails
   */
  judge?(input: unknown, context: Context): Promise<Judgement>
}
