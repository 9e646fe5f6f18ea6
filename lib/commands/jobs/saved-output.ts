// The files of long output. Where the caller has named no directory for them, they are removed like old jobs.

import { lstat, readdir, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSavedOutput } from './saved-output-name.js'

export { savedOutputName } from './saved-output-name.js'

/** Commands may run that have printed nothing for long, and the text of those that have ended names the file. */
const leastAgeMs = 24 * 60 * 60 * 1000

/** Those of this user that nobody has written to for so long, and for a day. What cannot be removed stays. */
export async function removeSavedOutput(maxAgeMs: number, directory = tmpdir()): Promise<void> {
  const names = await readdir(directory).catch(() => [])
  const oldest = Date.now() - Math.max(maxAgeMs, leastAgeMs)
  for (const name of names.filter(isSavedOutput)) {
    const path = join(directory, name)
    const found = await lstat(path).catch(() => undefined)
    if (found?.isFile() !== true || found.uid !== process.getuid?.() || found.mtimeMs > oldest) continue
    await unlink(path).catch(() => {})
  }
}
