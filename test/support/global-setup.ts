// Before all tests: the background jobs of this run are kept apart from the developer's own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Points `XDG_STATE_HOME` to a directory that lasts as long as jest. In its main process and not in the test files:
 * what a test starts with `child_process` gets the environment of the worker, which the test cannot change.
 */
export default function setUp(): void {
  const stateHome = mkdtempSync(join(tmpdir(), 'bashward-state-'))
  process.env.XDG_STATE_HOME = stateHome
  process.once('exit', () => rmSync(stateHome, { recursive: true, force: true, maxRetries: 3 }))
}
