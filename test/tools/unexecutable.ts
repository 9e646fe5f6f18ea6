// A file that nobody may execute.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.js'

/** A file without permission to execute it, which not even root may. */
export const unexecutable = (): string => {
  const path = join(tempDir(), 'script')
  writeFileSync(path, '#!/bin/sh\necho hi\n')
  chmodSync(path, 0o644)
  return path
}
