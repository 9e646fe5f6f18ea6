// Files of long output are removed once they are old.
import { readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeSavedOutput, savedOutputName } from '../../../lib/commands/jobs/saved-output.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

const dayMs = 24 * 3_600_000

test('those that nobody has written to for so long are removed, and nothing else', async () => {
  const directory = tempDir()
  const make = (name: string, ageMs: number) => {
    const path = join(directory, name)
    writeFileSync(path, '')
    const time = (Date.now() - ageMs) / 1000
    utimesSync(path, time, time)
    return name
  }
  make(savedOutputName(), 3 * dayMs)
  const young = make(savedOutputName(), 1.5 * dayMs)
  const other = make('bashward-output-notes.log', 3 * dayMs)
  const link = savedOutputName()
  symlinkSync(make('target', 3 * dayMs), join(directory, link))
  await removeSavedOutput(2 * dayMs, directory)

  expect(readdirSync(directory).sort()).toEqual([young, other, link, 'target'].sort())
})

test('none is removed on its first day, however short jobs are kept', async () => {
  const directory = tempDir()
  const name = savedOutputName()
  writeFileSync(join(directory, name), '')
  await removeSavedOutput(0, directory)

  expect(readdirSync(directory)).toEqual([name])
})

test('a directory that is not there has none', async () => {
  await removeSavedOutput(0, '/nowhere')
})
