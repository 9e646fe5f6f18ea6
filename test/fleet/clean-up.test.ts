// What a worker forgets after a week, and what it keeps.
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanUpState } from '../../lib/fleet/worker/clean-up.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(removeTempDirs)

test('output and bindings of more than a week are forgotten, and nothing else', async () => {
  const state = tempDir()
  const file = (path: string, days: number) => {
    mkdirSync(join(state, path, '..'), { recursive: true })
    writeFileSync(join(state, path), '')
    const at = Date.now() / 1000 - days * 24 * 3600
    utimesSync(join(state, path), at, at)
    return path
  }
  const output = 'output/c/bashward-output-0123456789abcde'
  const old = [file(`${output}0.log`, 8), file('released/a', 8)]
  const kept = [
    file(`${output}1.log`, 6),
    file('released/b', 6),
    file('output/c/other', 8),
    file('sessions/c', 8),
  ]
  await cleanUpState(state)

  expect(old.filter((path) => existsSync(join(state, path)))).toEqual([])
  expect(kept.filter((path) => !existsSync(join(state, path)))).toEqual([])
  await cleanUpState(join(state, 'not there'))
})
