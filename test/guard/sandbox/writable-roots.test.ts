// The writable directories of a policy: what they really are.
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writableRoots } from '../../../lib/guard/sandbox/writable-roots.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
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

describe('a link that a command may have made', () => {
  const setUp = () => {
    const base = makeDirectory()
    for (const name of ['project/inside', 'other']) mkdirSync(join(base, name), { recursive: true })
    return { base, project: join(base, 'project') }
  }

  test('to what lies outside, in another writable directory, is refused', () => {
    const { base, project } = setUp()
    symlinkSync('../other', join(project, 'link'))

    expect(() => writableRoots(['.', 'link'], placeAt(project))).toThrow(
      expect.objectContaining({
        code: 'ERR_INVALID_INPUT',
        message: `sandbox.writable[1]: ${project}/link: cannot be made writable: commands can write to ${project}, where the link to it is; give the path that is meant, ${base}/other`,
      }),
    )
  })

  test('is also refused where an earlier command could write', () => {
    const { project } = setUp()
    writableRoots(['.'], placeAt(project))
    rmSync(join(project, 'inside'), { recursive: true })
    symlinkSync('../other', join(project, 'inside'))

    expect(() => writableRoots(['.'], placeAt(join(project, 'inside')))).toThrow(
      `commands can write to ${project}`,
    )
  })

  test('on the way of another link is refused', () => {
    const { base, project } = setUp()
    symlinkSync('../other', join(project, 'link'))
    symlinkSync('project/link', join(base, 'first'))

    expect(() => writableRoots(['project', 'first'], placeAt(base))).toThrow(
      `sandbox.writable[1]: ${base}/first: cannot be made writable: commands can write to ${project}`,
    )
  })

  test('within the directory is none of them', () => {
    const { project } = setUp()
    symlinkSync('inside', join(project, 'link'))

    expect(writableRoots(['.', 'link'], placeAt(project))).toEqual([project])
  })

  test('what it leads to may be given by its own name', () => {
    const { base, project } = setUp()
    symlinkSync('../other', join(project, 'link'))

    expect(writableRoots(['.', '../other'], placeAt(project))).toEqual([project, join(base, 'other')])
  })

  test('to itself is an error of the system', () => {
    const { project } = setUp()
    symlinkSync('loop', join(project, 'loop'))

    expect(() => writableRoots(['loop'], placeAt(project))).toThrow(
      /must be a directory that exists \(\w+: ELOOP/,
    )
  })
})
