// Calling back into the host program.

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
