// From one function that answers a call: the two ways of calling a tool, execute() and stream().

import { notify, onAbort } from '../../base/util/listeners.js'
import type { BashEvent } from '../../commands/run/result.js'
import type { ResolvedContext } from '../context.js'
import { eventStream } from './event-stream.js'

/** A call as it came in. */
export interface Received<Result> {
  input: unknown
  /** As it was given. */
  given: unknown
  /** Undefined when the given one cannot be used; `fault` says why. Mistakes in the input are reported first. */
  context: ResolvedContext<Result> | undefined
  fault?: unknown
}

export interface CallMethods<Context, Result> {
  execute(input: unknown, context: Context): Promise<Result>
  stream(input: unknown, context: Context): AsyncIterable<BashEvent<Result>>
}

/**
 * @param resolve checks a context; may throw
 * @param answer never rejects
 */
export function callMethods<Context, Result>(
  resolve: (context: Context) => ResolvedContext<Result>,
  answer: (received: Received<Result>) => Promise<Result>,
): CallMethods<Context, Result> {
  return {
    async execute(input, context) {
      const result = await answer(receive(input, context, resolve))
      notify(listenerOf<Result>(context), { type: 'result', result })
      return result
    },

    stream: (input, context) =>
      eventStream<Result>(async (emit, controller) => {
        const received = receive(input, context, resolve)
        const onEvent = (event: BashEvent<Result>) => {
          emit(event)
          notify(listenerOf<Result>(context), event)
        }
        const release = onAbort(received.context?.cancel, () => controller.abort())
        if (received.context !== undefined) {
          received.context = { ...received.context, cancel: controller.signal, onEvent }
        }
        const result = await answer(received)
        release()
        onEvent({ type: 'result', result })
      }),
  }
}

/** @param resolve checks the context; may throw */
export function receive<Context, Result>(
  input: unknown,
  given: Context,
  resolve: (context: Context) => ResolvedContext<Result>,
): Received<Result> {
  try {
    return { input, given, context: resolve(given) }
  } catch (fault) {
    return { input, given, context: undefined, fault }
  }
}

type Listener<Result> = (event: BashEvent<Result>) => void

/** The listener of a context that may be unusable otherwise: it gets the result all the same. */
function listenerOf<Result>(context: unknown): Listener<Result> | undefined {
  try {
    const { onEvent } = context as { onEvent?: unknown }
    return typeof onEvent === 'function' ? (onEvent as Listener<Result>) : undefined
  } catch {
    return undefined
  }
}
