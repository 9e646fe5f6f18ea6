// The writable directories of the last command: they hold for the next one as long as nothing has changed that they depend
// on.
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { noteStateDirectory } from '../../../lib/base/util/state-directories.js'
import type { PolicyPlace } from '../../../lib/guard/sandbox/policy-path.js'
import { writableRoots } from '../../../lib/guard/sandbox/writable-roots.js'
import { asRoot, rootPrefix } from '../../support/as-root.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { placeAt } from './policy-place.js'

afterAll(removeTempDirs)

const given = ['.']

/** A directory that has just been writable. */
const setUp = (): { root: string; place: PolicyPlace } => {
  const root = join(realpathSync(tempDir()), 'project')
  mkdirSync(root)
  const place = placeAt(root)
  expect([writableRoots(given, place), writableRoots(given, place)]).toEqual([[root], [root]])
  return { root, place }
}

test('one that has become a symbolic link is looked up', () => {
  const { root, place } = setUp()
  renameSync(root, `${root}.old`)
  symlinkSync(`${root}.old`, root)

  expect(writableRoots(given, place)).toEqual([`${root}.old`])
})

test('one that a link on the way leads to now is looked up', () => {
  const { root, place } = setUp()
  const above = dirname(root)
  renameSync(above, `${above}.old`)
  symlinkSync(`${above}.old`, above)
  try {
    expect(writableRoots(given, place)).toEqual([`${above}.old/project`])
  } finally {
    rmSync(above)
    renameSync(`${above}.old`, above)
  }
})

test('one that is gone is an error', () => {
  const { root, place } = setUp()
  rmSync(root, { recursive: true })

  expect(() => writableRoots(given, place)).toThrow(/must be a directory that exists \(realpath: ENOENT/)
})

test('one that jobs are kept in now is refused', () => {
  const { root, place } = setUp()
  noteStateDirectory(join(root, 'jobs'))

  expect(() => writableRoots(given, place)).toThrow(`background jobs of bashward are kept in ${root}/jobs`)
})

test('one that programs of another environment are in is refused', () => {
  const { root, place } = setUp()
  const { environment } = placeAt(root, { PATH: join(root, 'bin') })

  expect(() => writableRoots(given, { ...place, environment })).not.toThrow()
  expect(() =>
    writableRoots(given, { ...place, environment: placeAt(root, { PATH: root }).environment }),
  ).toThrow('it is a directory on PATH')
})

test('one of another base is another', () => {
  const { root, place } = setUp()
  mkdirSync(join(root, 'inner'))

  expect(writableRoots(given, { ...place, base: join(root, 'inner') })).toEqual([join(root, 'inner')])
})

test('one in a directory for all that belongs to somebody else now is refused', () => {
  if (rootPrefix() === undefined) return console.warn('not shown: only root can give a directory away')
  const top = mkdtempSync('/tmp/bashward-known-roots-')
  try {
    expect(writableRoots(given, placeAt(top))).toEqual([top])
    asRoot('chown', '12345', top)

    expect(() => writableRoots(given, placeAt(top))).toThrow(`${top} belongs to user 12345`)
  } finally {
    asRoot('rmdir', top)
  }
})
