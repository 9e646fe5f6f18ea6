// Before all tests: the background jobs of this run are kept apart from the developer's own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stateDirectories, watchState } from './own-state.cjs'

/**
 * Points `XDG_STATE_HOME` to a directory that lasts as long as jest. In its main process and not in the test files:
 * what a test starts with `child_process` gets the environment of the worker, which the test cannot change. What is
 * started without this environment is found after the tests, by `global-teardown.cjs`.
 */
export default function setUp(): void {
  Object.assign(globalThis, { checkOwnState: watchState(stateDirectories(process.env)) })
  const stateHome = mkdtempSync(join(tmpdir(), 'bashward-state-'))
  process.env.XDG_STATE_HOME = stateHome
  process.once('exit', () => rmSync(stateHome, { recursive: true, force: true, maxRetries: 3 }))
}
