// A home with start-up files, for the time of a test.
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from './temp-dir.js'

export interface TestHome {
  home: string
  /** An empty directory in it. */
  project: string
  /** Writes a file: a name in the home. */
  write(name: string, text: string): void
  /** How often a file of {@link counting} was read. */
  count(): number
}

/** The first lines of a start-up file that is to be counted. */
export const counting = 'printf x >> "$HOME/count"\n'

const homeOfTests = process.env.HOME

/** @param profile the text of ~/.bash_profile */
export const makeHome = (profile: string): TestHome => {
  const home = tempDir()
  const project = join(home, 'project')
  mkdirSync(project)
  const uid = process.geteuid?.() ?? 0
  chownSync(project, uid, uid)
  const write = (name: string, text: string) => writeFileSync(join(home, name), text)
  write('.bash_profile', profile)
  process.env.HOME = home
  const counted = join(home, 'count')
  return {
    home,
    project,
    write,
    count: () => (existsSync(counted) ? readFileSync(counted, 'latin1').length : 0),
  }
}

/** For `afterEach`. */
export const restoreHome = (): void => {
  if (homeOfTests === undefined) delete process.env.HOME
  else process.env.HOME = homeOfTests
}
