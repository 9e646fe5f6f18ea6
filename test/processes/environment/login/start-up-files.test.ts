// Whether a start-up file has changed.
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startUpFilesVersion } from '../../../../lib/processes/environment/login/start-up-files.js'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'

afterEach(removeTempDirs)

const place = () => {
  const home = tempDir()
  const directory = join(home, 'work', 'project')
  mkdirSync(directory, { recursive: true })
  return { home, directory, version: () => startUpFilesVersion(home, directory) }
}

test('the same files have the same version', () => {
  const { home, version } = place()
  writeFileSync(join(home, '.bashrc'), 'A=1')

  expect(version()).toBe(version())
})

test.each(['.bash_profile', '.bash_login', '.profile', '.bashrc', 'work/project/.envrc', 'work/.envrc'])(
  '%s that comes, changes, and goes, changes it',
  (name) => {
    const { home, version } = place()
    const file = join(home, name)
    const without = version()
    writeFileSync(file, 'A=1')
    utimesSync(file, 1, 1)
    const first = version()
    utimesSync(file, 1, 2)
    const second = version()
    rmSync(file)

    expect(new Set([without, first, second]).size).toBe(3)
    expect(version()).toBe(without)
  },
)

test('a file that is replaced by another of the same time and size changes it', () => {
  const { home, version } = place()
  for (const name of ['.bashrc', 'other']) {
    writeFileSync(join(home, name), 'A=1')
    utimesSync(join(home, name), 1, 1)
  }
  const before = version()
  renameSync(join(home, 'other'), join(home, '.bashrc'))

  expect(version()).not.toBe(before)
})

test('what direnv is allowed changes it', () => {
  const { home, version } = place()
  const allowed = join(home, '.local/share/direnv/allow')
  mkdirSync(allowed, { recursive: true })
  utimesSync(allowed, 1, 1)
  const before = version()
  writeFileSync(join(allowed, 'hash'), '')

  expect(version()).not.toBe(before)
})

test('without a home there is a version as well', () => {
  expect(startUpFilesVersion(undefined, '/')).toMatch(/\d/)
})
