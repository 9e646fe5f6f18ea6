// What the command of one call reads, for adapters whose frameworks write to it while it runs.

const inputs = new WeakMap<object, number>()

/**
 * @param context the very object that is handed to `execute()`
 * @param descriptor stays open until the call has ended
 */
export function giveInput(context: object, descriptor: number): void {
  inputs.set(context, descriptor)
}

/** @param context as it was given */
export const givenInput = (context: object | undefined): number | undefined =>
  context === undefined ? undefined : inputs.get(context)
