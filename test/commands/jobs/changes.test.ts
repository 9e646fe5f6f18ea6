// Being told what happens to a job, by inotify.
import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Changes } from '../../../lib/commands/jobs/changes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'

afterAll(removeTempDirs)

const watched = () => {
  const directory = tempDir()
  writeFileSync(join(directory, 'output'), '')
  const changes = new Changes(directory)
  const next = new Promise<void>((resolve) => changes.onNext(resolve))
  return { directory, changes, next }
}

test('output is told', async () => {
  const { directory, changes, next } = watched()
  appendFileSync(join(directory, 'output'), 'a\n')
  await next

  expect(changes.seen).toBe('output')
  changes.close()
})

test('the last file is told, and weighs more than output', async () => {
  const { directory, changes, next } = watched()
  appendFileSync(join(directory, 'output'), 'a\n')
  writeFileSync(join(directory, 'exit.json.tmp'), '{}')
  renameSync(join(directory, 'exit.json.tmp'), join(directory, 'exit.json'))
  await next
  await waitFor(() => changes.seen === 'end', { what: 'the end to be told' })

  appendFileSync(join(directory, 'output'), 'b\n')
  expect(changes.seen).toBe('end')
  changes.close()
})

test('a directory that is removed counts as an end', async () => {
  const { directory, changes, next } = watched()
  rmSync(directory, { recursive: true })
  await next

  await waitFor(() => changes.seen === 'end', { what: 'the end to be told' })
  changes.close()
})

test('what has happened before anybody asks is told at once', async () => {
  const { directory, changes, next } = watched()
  appendFileSync(join(directory, 'output'), 'a\n')
  await next
  let told = 0
  changes.onNext(() => {
    told += 1
  })

  expect(told).toBe(1)
  changes.close()
})

test('nothing is told of a directory that cannot be watched, nor after the end', () => {
  const gone = new Changes(join(tempDir(), 'gone'))
  expect(gone.areWatched).toBe(false)
  gone.close()

  const { changes } = watched()
  expect(changes.areWatched).toBe(true)
  changes.close()
  expect(changes.areWatched).toBe(false)
})
