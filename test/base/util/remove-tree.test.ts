// Removing what commands may still write to.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeTree } from '../../../lib/base/util/remove-tree.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

test('a directory goes with all that is in it, and nothing that it links to', async () => {
  const directory = tempDir()
  const outside = join(directory, 'outside')
  mkdirSync(join(directory, 'tree/a/b'), { recursive: true })
  mkdirSync(outside)
  writeFileSync(join(outside, 'file'), 'kept')
  writeFileSync(join(directory, 'tree/a/b/file'), '')
  symlinkSync(outside, join(directory, 'tree/a/link'))
  symlinkSync('nowhere', join(directory, 'tree/broken'))

  await removeTree(join(directory, 'tree'))

  expect(readdirSync(directory)).toEqual(['outside'])
  expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('kept')
})

test('a link in its place is left, with what it leads to', async () => {
  const directory = tempDir()
  mkdirSync(join(directory, 'real'))
  writeFileSync(join(directory, 'real/file'), '')
  symlinkSync('real', join(directory, 'link'))

  await expect(removeTree(join(directory, 'link'))).rejects.toThrow(/ELOOP|ENOTDIR/)

  expect(readdirSync(join(directory, 'real'))).toEqual(['file'])
})

test('what is nested without end is left', async () => {
  const directory = join(tempDir(), 'deep')
  mkdirSync(join(directory, 'd/'.repeat(250)), { recursive: true })

  await expect(removeTree(directory)).rejects.toMatchObject({ code: 'ENOTEMPTY' })
})
