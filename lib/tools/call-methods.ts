// From one function that makes a call: the two ways of calling a tool, execute() and stream().

import type { BashEvent } from '../run/result.js'
import { notify, onAbort } from '../util/listeners.js'
import { eventStream } from './event-stream.js'
import { listenerOf } from './unchecked.js'

/** What every resolved context has. */
export interface CallContext<Result> {
  cancel: AbortSignal | undefined
  onEvent: ((event: BashEvent<Result>) => void) | undefined
}

export interface CallSteps<Context, Resolved extends CallContext<Result>, Result> {
  /** May throw. */
  resolveContext(context: Context): Resolved
  /**
   * Never rejects. `getContext` throws what `resolveContext` has thrown: a context that cannot be used is the host
   * program's mistake, and told after those of the input.
   */
  call(input: unknown, getContext: () => Resolved, context: Context): Promise<Result>
}

export interface CallMethods<Context, Result> {
  execute(input: unknown, context: Context): Promise<Result>
  stream(input: unknown, context: Context): AsyncIterable<BashEvent<Result>>
}

export function callMethods<Context, Resolved extends CallContext<Result>, Result>({
  resolveContext,
  call,
}: CallSteps<Context, Resolved, Result>): CallMethods<Context, Result> {
  return {
    async execute(input, context) {
      const resolved = attempt(() => resolveContext(context))
      const result = await call(input, resolved.get, context)
      notify(listenerOf<Result>(context), { type: 'result', result })
      return result
    },

    stream: (input, context) =>
      eventStream<Result>(async (emit, controller) => {
        const resolved = attempt(() => resolveContext(context))
        const onEvent = (event: BashEvent<Result>) => {
          emit(event)
          notify(listenerOf<Result>(context), event)
        }
        const release = onAbort(resolved.value?.cancel, () => controller.abort())
        const getContext = () => ({ ...resolved.get(), cancel: controller.signal, onEvent })
        const result = await call(input, getContext, context)
        release()
        onEvent({ type: 'result', result })
      }),
  }
}

/** Runs `make` once, now; `get` gives its value or throws what it threw. */
function attempt<Value>(make: () => Value): { value: Value | undefined; get: () => Value } {
  try {
    const value = make()
    return { value, get: () => value }
  } catch (error) {
    const get = () => {
      throw error
    }
    return { value: undefined, get }
  }
}
