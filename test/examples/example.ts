// Runs an example as its reader does: as a process of its own, by the name of its file.
import { join } from 'node:path'
import {
  canBecomeOrdinaryUser,
  isRoot,
  ordinaryUid,
  ordinaryUserPrefix,
  packageRoot,
  packageRootForOrdinaryUser,
} from '../support/as-user.js'
import { cannotTest } from '../support/must-work.js'
import { tempDir } from '../support/temp-dir.js'
import { type Program, startProgram } from '../surfaces/cli/program.js'

export interface ExampleOptions {
  args?: string[]
  /** Words before the program. */
  prefix?: string[]
  /** By default the user who runs the tests. */
  isOrdinaryUser?: boolean
  /** For its temporary files, and its home. */
  directory?: string
}

/** Starts `examples/<name>`. */
export const startExample = (
  name: string,
  { args = [], prefix = [], isOrdinaryUser = false, directory = tempDir() }: ExampleOptions = {},
): Program => {
  const root = isOrdinaryUser ? packageRootForOrdinaryUser() : packageRoot
  const words = [...(isOrdinaryUser ? ordinaryUserPrefix() : []), ...prefix, process.execPath]
  const [program = '', ...rest] = [...words, join(root, 'examples', name), ...args]
  return startProgram(program, rest, { env: { TMPDIR: directory, HOME: directory } })
}

/** Tests an example as the user who runs the tests, and as an ordinary one if that is root. */
export const testExample = (
  behaviour: string,
  body: (options: { isOrdinaryUser: boolean; directory: string }) => Promise<void>,
): void => {
  test(behaviour, () => body({ isOrdinaryUser: false, directory: tempDir() }))
  if (!isRoot) return
  test(`${behaviour}, as an ordinary user`, async () => {
    if (!canBecomeOrdinaryUser()) return cannotTest('setpriv(1) cannot become an ordinary user')
    await body({ isOrdinaryUser: true, directory: tempDir({ owner: ordinaryUid }) })
  })
}
