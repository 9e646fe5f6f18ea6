// A command as an async iterable of its events.

import type { BashEvent, BashResult } from '../result.js'

/**
 * Yields what `start` emits and ends after the result. The command starts with the first step of the loop. Leaving the
 * loop early aborts the signal that `start` was given, and waits until the command is gone.
 */
export async function* eventStream(
  start: (emit: (event: BashEvent) => void, signal: AbortSignal) => Promise<BashResult>,
  cancel: AbortSignal | undefined,
): AsyncGenerator<BashEvent, void, undefined> {
  const queue: BashEvent[] = []
  let wake = () => {}
  const emit = (event: BashEvent) => {
    queue.push(event)
    wake()
  }
  const controller = new AbortController()
  const abort = () => controller.abort()
  if (cancel?.aborted === true) abort()
  cancel?.addEventListener('abort', abort, { once: true })
  const running = start(emit, controller.signal)
  try {
    for (;;) {
      const event = queue.shift()
      if (event === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      yield event
      if (event.type === 'result') return
    }
  } finally {
    cancel?.removeEventListener('abort', abort)
    abort()
    await running
  }
}
