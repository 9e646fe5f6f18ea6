// Listening to the AbortSignals of the host program, and calling its listeners.

interface Listeners {
  readonly callbacks: Set<() => void>
  readonly handler: () => void
}

const listening = new WeakMap<AbortSignal, Listeners>()

/**
 * Calls `callback` when `signal` is aborted; at once when it is already. However many commands of a conversation
 * listen, the signal has one listener: Node warns of a leak at eleven.
 *
 * @returns a function that ends this
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => {}
  if (signal.aborted) {
    callback()
    return () => {}
  }
  const { callbacks, handler } = listening.get(signal) ?? listen(signal)
  callbacks.add(callback)
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return
    listening.delete(signal)
    signal.removeEventListener('abort', handler)
  }
}

function listen(signal: AbortSignal): Listeners {
  const callbacks = new Set<() => void>()
  const handler = () => {
    listening.delete(signal)
    // Each is called once, also when one of them ends another.
    for (const callback of callbacks) {
      callbacks.delete(callback)
      callback()
    }
  }
  signal.addEventListener('abort', handler, { once: true })
  const listeners = { callbacks, handler }
  listening.set(signal, listeners)
  return listeners
}

/**
 * Calls a listener whose failure is not the caller's: an exception is thrown again from a microtask, where it becomes
 * an uncaught exception of the program, like one in an event listener of EventTarget.
 */
export function notify<Event>(listener: ((event: Event) => void) | undefined, event: Event): void {
  try {
    listener?.(event)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
