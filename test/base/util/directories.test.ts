import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeDirectories, resolveDirectory } from '../../../lib/base/util/directories.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

describe('resolveDirectory', () => {
  test('takes a relative path from the working directory of the process', () => {
    expect(resolveDirectory('cwd', 'lib')).toBe(resolve(process.cwd(), 'lib'))
  })

  test('names the field that it was asked to name', () => {
    expect(() => resolveDirectory('context.workingDir', 7)).toThrow(
      expect.objectContaining({
        code: 'ERR_INVALID_INPUT',
        message: 'context.workingDir: must be the path of a directory (got 7)',
      }),
    )
  })
})

describe('makeDirectories', () => {
  afterAll(removeTempDirs)

  const isDirectory = (path: string) => statSync(path).isDirectory()

  test('makes a directory and those above it', () => {
    const path = join(tempDir(), 'a/b/c')
    makeDirectories(path)

    expect(isDirectory(path)).toBe(true)
  })

  test('leaves those that exist, also behind symbolic links', () => {
    const root = tempDir()
    mkdirSync(join(root, 'real'))
    symlinkSync('real', join(root, 'link'))
    makeDirectories(join(root, 'link'))
    makeDirectories(join(root, 'link/inner'))

    expect(isDirectory(join(root, 'real/inner'))).toBe(true)
  })

  test.each(['file', 'file/inner', 'file/inner/most'])('refuses %s, where a file is in the way', (name) => {
    const root = tempDir()
    writeFileSync(join(root, 'file'), '')

    expect(() => makeDirectories(join(root, name))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }))
  })

  // Node's own mkdir never returns here.
  test('ends where no directory can be made', () => {
    expect(() => makeDirectories('/proc/bashward/inner')).toThrow(expect.objectContaining({ code: 'ENOENT' }))
  })
})
