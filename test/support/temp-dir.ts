// Temporary directories that disappear after each test.
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const created: string[] = []

export interface TempDirOptions {
  /** The user who owns it; by default the one who runs the tests. */
  owner?: number | undefined
  /** By default that of temporary files. */
  parent?: string | undefined
}

/** Makes an empty directory that everybody may read. */
export const tempDir = ({ owner, parent = tmpdir() }: TempDirOptions = {}): string => {
  const dir = mkdtempSync(join(parent, 'bashward-test-'))
  created.push(dir)
  chmodSync(dir, 0o755)
  if (owner !== undefined) chownSync(dir, owner, owner)
  return dir
}

/** Removes what {@link tempDir} made. For `afterEach` or `afterAll`. */
export const removeTempDirs = (): void => {
  for (const dir of created.splice(0)) {
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 })
  }
}
