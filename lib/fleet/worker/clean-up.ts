// Forgetting what nobody asks for any more: long output, and bindings that were given up. Calls, jobs and their results are
// forgotten by their own ledger and stores.

import { promises } from 'node:fs'
import { join } from 'node:path'
import { removeSavedOutput } from '../../jobs/saved-output.js'

/** As long as marks of calls are kept. */
export const keptMs = 7 * 24 * 3_600_000

/** Of a worker. What cannot be removed stays until the next time. */
export async function cleanUpState(state: string): Promise<void> {
  const outputs = join(state, 'output')
  for (const name of await namesIn(outputs)) await removeSavedOutput(keptMs, join(outputs, name))
  // A request is not valid for so long: no Redis can go back that far and matter.
  const released = join(state, 'released')
  for (const name of await namesIn(released)) {
    const path = join(released, name)
    const stats = await promises.stat(path).catch(() => undefined)
    if (stats !== undefined && Date.now() - stats.mtimeMs > keptMs) await promises.rm(path, { force: true })
  }
}

const namesIn = async (directory: string): Promise<string[]> =>
  await promises.readdir(directory).catch(() => [])
