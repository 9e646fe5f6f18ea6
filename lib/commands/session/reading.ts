// How a record is read: believed as a whole or not at all, and in steps, since a hostile command can make it long and that
// must not hold up the host's other work.

/** Why a record is not believed. It never leaves this folder. */
export class RecordFault extends Error {
  override readonly name = 'RecordFault'
}

/** Yields where it may be interrupted; then it goes on later. */
export type Steps<Value> = Generator<undefined, Value, undefined>

const longestMs = 10

/** Carries out the work, and lets others have their turn every 10 ms. */
export async function inSteps<Value>(steps: Steps<Value>): Promise<Value> {
  for (let end = performance.now() + longestMs; ; ) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() < end) continue
    await new Promise((resolve) => setImmediate(resolve))
    end = performance.now() + longestMs
  }
}
