// Forgetting what nobody asks for any more: long output, bindings that were given up, and places where nothing is left. Calls,
// jobs and their results are forgotten by their own ledger and stores. The directory of a conversation stays as long as it is
// this worker's.

import { promises, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { removeSavedOutput } from '../../../commands/jobs/saved-output.js'

/** As long as marks of calls are kept. */
export const keptMs = 7 * 24 * 3_600_000

/**
 * Of a worker.
 *
 * @param isUsed whether a conversation is in use now, by its name
 * @param failed told what could not be removed: it stays until the next time
 */
export async function cleanUpState(
  state: string,
  isUsed: (conversation: string) => boolean = () => false,
  failed: (error: unknown) => void = () => {},
): Promise<void> {
  const outputs = join(state, 'output')
  for (const name of await namesIn(outputs, failed)) await removeSavedOutput(keptMs, join(outputs, name))
  for (const place of [outputs, join(state, 'jobs')]) {
    for (const name of await namesIn(place, failed)) {
      // At once after the look: a call makes it anew when it begins.
      if (!isUsed(name)) removeEmpty(join(place, name), failed)
    }
  }
  // A request is not valid for so long: no Redis can go back that far and matter.
  const released = join(state, 'released')
  for (const name of await namesIn(released, failed)) {
    const path = join(released, name)
    const stats = await promises.stat(path).catch(() => undefined)
    if (stats === undefined || Date.now() - stats.mtimeMs <= keptMs) continue
    await promises.rm(path, { force: true }).catch(failed)
  }
}

/** Of a conversation that has nothing there any more. */
function removeEmpty(directory: string, failed: (error: unknown) => void): void {
  try {
    rmdirSync(directory)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOTEMPTY' && code !== 'ENOENT' && code !== 'ENOTDIR') failed(error)
  }
}

const namesIn = async (directory: string, failed: (error: unknown) => void): Promise<string[]> =>
  await promises.readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') failed(error)
    return []
  })
