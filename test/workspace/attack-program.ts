// The attack program for tests that run it themselves, and the file outside that it is to change.
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attackProgram } from '../guard/sandbox/sandbox-hosts.js'
import { tempDir } from '../support/temp-dir.js'

const built: { program?: string | undefined } = {}

/** Built once; lasts until `removeTempDirs` after all tests of a file. Undefined without a C compiler. */
export const attackPath = (): string | undefined => {
  if (!('program' in built)) built.program = attackProgram()
  return built.program
}

export interface Victim {
  path: string
  /** Whether anything of its inode is another since. */
  isTouched: () => boolean
}

/** A file in a directory of its own that everybody can read. */
export const makeVictim = (owner?: number): Victim => {
  const path = join(tempDir({ owner }), 'victim')
  writeFileSync(path, 'content\n', { mode: 0o644 })
  const changedAt = () => statSync(path, { bigint: true }).ctimeNs
  const before = changedAt()
  return { path, isTouched: () => changedAt() !== before }
}
