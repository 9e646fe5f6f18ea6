// What a worker forgets after a week, and what it keeps.
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { thisMoment } from '../../../lib/commands/calls/mark.js'
import { cleanUpState } from '../../../lib/surfaces/fleet/worker/clean-up.js'
import { Holdings } from '../../../lib/surfaces/fleet/worker/holdings.js'
import { Removals } from '../../../lib/surfaces/fleet/worker/removals.js'
import { Sessions } from '../../../lib/surfaces/fleet/worker/sessions.js'
import { Tombstones } from '../../../lib/surfaces/fleet/worker/tombstones.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

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
  const empty = (path: string) => {
    mkdirSync(join(state, path), { recursive: true })
    return path
  }
  old.push(empty('output/empty'), empty('jobs/empty'))
  kept.push(empty('output/used'), empty('sessions/empty'))
  await cleanUpState(state, (conversation) => conversation === 'used')

  expect(old.filter((path) => existsSync(join(state, path)))).toEqual([])
  expect(kept.filter((path) => !existsSync(join(state, path)))).toEqual([])
  await cleanUpState(join(state, 'not there'))
})

test('what another worker has by now is removed after a week, and nothing of what is held', async () => {
  const state = tempDir()
  const tombstones = new Tombstones(join(state, 'released'))
  const holdings = new Holdings(join(state, 'held'), tombstones)
  const places = { workspaces: join(state, 'ws'), outputs: join(state, 'output'), jobs: join(state, 'jobs') }
  const sessions = new Sessions(join(state, 'sessions'), undefined)
  const removals = new Removals({ ...places, sessions }, holdings)
  const week = 7 * 24 * 3_600_000
  /** @param age milliseconds @param sinceBoot of them since this machine was booted */
  const conversation = (digit: string, holding: 'held' | 'lost', age: number, sinceBoot: number) => {
    const name = digit.repeat(64)
    mkdirSync(join(places.workspaces, name), { recursive: true })
    writeFileSync(join(places.workspaces, name, 'file'), '')
    mkdirSync(join(state, 'held'), { recursive: true })
    const { bootId, bootedMs } = thisMoment()
    const moment = { createdAt: Date.now() - age, bootId, bootedMs: bootedMs - sinceBoot }
    writeFileSync(join(state, 'held', name), JSON.stringify({ epoch: 'e', state: holding, ...moment }))
    return join(places.workspaces, name)
  }
  const gone = conversation('1', 'lost', week + 1000, week + 1000)
  const kept = [
    conversation('2', 'held', 2 * week, 2 * week),
    conversation('3', 'lost', week - 60_000, week - 60_000),
    // The clock was set.
    conversation('4', 'lost', 2 * week, 60_000),
  ]
  const failures: unknown[] = []
  await removals.finishAll((error) => void failures.push(error))

  expect(failures).toEqual([])
  expect(existsSync(gone)).toBe(false)
  expect(kept.filter((path) => !existsSync(path))).toEqual([])
})
