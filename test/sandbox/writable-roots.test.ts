// The writable directories of a policy: what they really are.
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writableRoots } from '../../lib/sandbox/writable-roots.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { placeAt } from './policy-place.js'

afterAll(removeTempDirs)

const makeDirectory = (...names: string[]) => {
  const directory = join(realpathSync(tempDir()), ...names)
  mkdirSync(directory, { recursive: true })
  return directory
}

test('relative ones begin in the base', () => {
  const base = makeDirectory()
  mkdirSync(join(base, 'a'))

  expect(writableRoots(['./a/'], placeAt(base))).toEqual([join(base, 'a')])
})

test('the base itself may be one', () => {
  const base = makeDirectory()

  expect(writableRoots(['.'], placeAt(base))).toEqual([base])
})

test("~ is the command's HOME", () => {
  const home = makeDirectory('home')
  mkdirSync(join(home, 'project'))

  expect(writableRoots(['~/project'], placeAt('/', { HOME: home }))).toEqual([join(home, 'project')])
})

test('~ without a HOME is refused', () => {
  expect(() => writableRoots(['~/project'], placeAt('/', { HOME: '' }))).toThrow(
    'sandbox.writable[0]: ~/project: the command has no HOME',
  )
})

test('a symbolic link counts as what it leads to', () => {
  const base = makeDirectory()
  mkdirSync(join(base, 'real'))
  symlinkSync('real', join(base, 'link'))

  expect(writableRoots(['link'], placeAt(base))).toEqual([join(base, 'real')])
})

test('a symbolic link that has been changed since is looked up again', () => {
  const base = makeDirectory()
  for (const name of ['one', 'two']) mkdirSync(join(base, name))
  symlinkSync('one', join(base, 'link'))
  const place = placeAt(join(base, 'link'))
  const before = writableRoots(['.'], place)
  rmSync(join(base, 'link'))
  symlinkSync('two', join(base, 'link'))

  expect([before, writableRoots(['.'], place)]).toEqual([[join(base, 'one')], [join(base, 'two')]])
})

test('one within another goes with it', () => {
  const base = makeDirectory()
  mkdirSync(join(base, 'a', 'b'), { recursive: true })
  mkdirSync(join(base, 'ab'))

  expect(writableRoots(['a/b', 'a', 'ab'], placeAt(base))).toEqual([join(base, 'a'), join(base, 'ab')])
})

test('one that is given twice counts once', () => {
  const base = makeDirectory()

  expect(writableRoots(['.', base], placeAt(base))).toEqual([base])
})

test('one that is not there is refused with the reason', () => {
  const base = makeDirectory()

  expect(() => writableRoots(['.', 'gone'], placeAt(base))).toThrow(
    `sandbox.writable[1]: ${base}/gone: must be a directory that exists (realpath: ENOENT (no such file or directory))`,
  )
})

test('a file is refused', () => {
  const base = makeDirectory()
  writeFileSync(join(base, 'file'), '')

  expect(() => writableRoots(['file'], placeAt(base))).toThrow(
    `sandbox.writable[0]: ${base}/file: must be a directory`,
  )
})

test('a symbolic link to a name with a separator of lists is refused', () => {
  const base = makeDirectory()
  mkdirSync(join(base, 'a\x01b'))
  symlinkSync('a\x01b', join(base, 'link'))

  expect(() => writableRoots(['link'], placeAt(base))).toThrow(
    `sandbox.writable[0]: ${base}/link: must have no U+0001 in its name`,
  )
})
