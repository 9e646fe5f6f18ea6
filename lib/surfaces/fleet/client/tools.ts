// A tool of a fleet: that of the package, but that another machine runs the command. The same inputs, results and texts.

import { describeError } from '../../../base/errors.js'
import { notify, onAbort } from '../../../base/util/listeners.js'
import type { JsonSchema } from '../../../base/util/schema/json-schema.js'
import { validInput } from '../../../base/util/schema/validate.js'
import { type BashEvent, type BashResult, elapsedMs } from '../../../commands/run/result.js'
import type { SandboxMode, SandboxPolicy } from '../../../guard/sandbox/policy.js'
import { eventStream } from '../../../tools/call/event-stream.js'
import type { Tool } from '../../../tools/types.js'
import type { Answer } from '../answer.js'
import type { Refusal } from '../failures.js'
import type { ToolName } from '../request.js'
import { checkWellFormed } from '../well-formed.js'
import { type FleetCallDefaults, type FleetContext, resolveFleetContext } from './context.js'
import type { Asked } from './prepare.js'

/** Where a call has run. */
export interface FleetRun {
  /** The name of the worker; its paths are those of the result. */
  worker: string
  /** Why the session has nothing of what earlier calls left; the model reads it. */
  sessionReset?: string
}

export interface FleetResult extends BashResult {
  /** Undefined when it was not sent, or its worker did not say. */
  fleet?: FleetRun
}

/** A tool whose commands run on a worker. Its contexts have no directory: each conversation has its own. */
export interface FleetTool<Input, Result>
  extends Omit<Tool<Input, Result, FleetContext<Result>>, 'description'> {
  /** What the model is told. */
  description(context?: Partial<FleetContext<Result>>): string
  /** Runs a call. Never rejects: what went wrong is a result. */
  execute(input: unknown, context: FleetContext<Result>): Promise<Result>
  /** The same, step by step. Breaking out of the loop kills the command. */
  stream(input: unknown, context: FleetContext<Result>): AsyncIterable<BashEvent<Result>>
}

export interface FleetToolOptions extends FleetCallDefaults {
  /** Whether calls of a conversation share a session. Default: as the tool of the package, false for bash, true for Bash. */
  session?: boolean | undefined
}

/** What tools need of their fleet. */
export interface ToolHost {
  send(asked: Asked): Promise<Answer>
  /** That of the workers that are known. */
  sandbox(): SandboxMode
}

/** A tool of the package, as far as it needs no machine. */
export interface ToolTemplate<Input, Result> extends Pick<Tool<Input, Result>, 'inputSchema' | 'toText'> {
  /** As the package's tool has it. */
  name: string
  tool: ToolName
  describe(workspaceDir: string, sandbox: SandboxMode | SandboxPolicy): string
  /** Milliseconds that a call may take once it has begun. */
  limitMs(input: Input): number
  check?(input: Input): void
  /** Of an answer that is no result. */
  failed(status: 'invalid' | 'error' | 'cancelled', input: unknown, refusal: Refusal): Result
  /** What a worker has left out, as the client has it. */
  complete(result: Record<string, unknown>, input: Input): Result
}

export function fleetTool<Input, Result extends object>(
  host: ToolHost,
  template: ToolTemplate<Input, Result>,
  defaults: FleetCallDefaults,
  session: boolean,
): FleetTool<Input, Result> {
  const { name, tool, inputSchema, toText } = template
  const run = async (
    input: unknown,
    given: unknown,
    cancel: AbortSignal | undefined,
    onEvent: ((event: BashEvent<Result>) => void) | undefined,
  ): Promise<Result> => {
    const startedAt = performance.now()
    let checked: Input
    try {
      checked = validInput(inputSchema as JsonSchema, input) as Input
      template.check?.(checked)
      for (const [name, value] of Object.entries(checked as object)) checkWellFormed(name, value)
    } catch (error) {
      return template.failed('invalid', input, describeError(error))
    }
    let context: ReturnType<typeof resolveFleetContext<Result>>
    try {
      context = resolveFleetContext<Result>(given, defaults)
    } catch (error) {
      return template.failed('error', input, describeError(error))
    }
    const listener = onEvent ?? context.onEvent
    const { command } = checked as { command?: string }
    const answer = await host.send({
      ...context,
      operation: 'run',
      tool,
      input: checked,
      session,
      limitMs: template.limitMs(checked),
      cancel: cancel ?? context.cancel,
      onStart:
        command === undefined
          ? undefined
          : (display = command) => notify(listener, { type: 'start', command, display }),
      onOutput: listener && ((event) => notify(listener, event)),
    })
    const result = resultOf(template, answer, checked)
    const timed = result as { durationMs?: number }
    if (timed.durationMs === 0) timed.durationMs = elapsedMs(startedAt)
    return result
  }
  return {
    name,
    inputSchema,
    toText,
    description: (context = {}) =>
      template.describe(
        context.workspaceDir ?? defaults.workspaceDir ?? '.',
        context.sandbox ?? host.sandbox(),
      ),
    async execute(input, context) {
      const result = await run(input, context, undefined, undefined)
      notify(listenerOf<Result>(context), { type: 'result', result })
      return result
    },
    stream: (input, context) =>
      eventStream<Result>(async (emit, controller) => {
        const both = (event: BashEvent<Result>) => {
          emit(event)
          notify(listenerOf<Result>(context), event)
        }
        const { cancel } = context
        const release = onAbort(cancel, () => controller.abort())
        const result = await run(input, context, controller.signal, both)
        release()
        both({ type: 'result', result })
      }),
  }
}

function listenerOf<Result>(context: unknown): ((event: BashEvent<Result>) => void) | undefined {
  const { onEvent } = (context ?? {}) as { onEvent?: unknown }
  return typeof onEvent === 'function' ? (onEvent as (event: BashEvent<Result>) => void) : undefined
}

function resultOf<Input, Result>(
  template: ToolTemplate<Input, Result>,
  answer: Answer,
  input: Input,
): Result {
  if (answer.kind === 'result') {
    const { result, replayed } = answer
    return template.complete(replayed === undefined ? result : { ...result, replayed }, input)
  }
  const refusal = answer.kind === 'refused' ? answer.refusal : internal
  const status = refusal.code === 'ERR_CANCELLED' ? 'cancelled' : 'error'
  return template.failed(status, input, refusal)
}

const internal: Refusal = { code: 'ERR_INTERNAL', message: 'the worker has answered another question' }
