// Calls that a framework has asked a person about, in its own way.

const approved = new WeakSet<object>()

/**
 * What asks, runs without asking once more; what is denied is rejected all the same.
 *
 * @param context the very object that is handed to `execute()` or `stream()`. Of one that is handed to `description()` it
 *   says that a person is going to be asked
 */
export function markApproved(context: object): void {
  approved.add(context)
}

export const isMarkedApproved = (context: unknown): boolean =>
  typeof context === 'object' && context !== null && approved.has(context)
