// The check that the tests leave the state directory of the person who runs them alone.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { stateDirectories, watchState } from './own-state.cjs'
import { removeTempDirs, tempDir } from './temp-dir.js'

afterEach(removeTempDirs)

test('looks at the directory that XDG_STATE_HOME names, below HOME, and below the home of the user', () => {
  expect(stateDirectories({ XDG_STATE_HOME: '/state', HOME: '/home/u' })).toEqual([
    '/state/bashward',
    '/home/u/.local/state/bashward',
    join(userInfo().homedir, '.local/state/bashward'),
  ])
})

test('names a job that was added, with its command', () => {
  const state = tempDir()
  const check = watchState([state])
  const job = join(state, 'jobs', 'j1')
  mkdirSync(job, { recursive: true })
  writeFileSync(join(job, 'job.json'), JSON.stringify({ command: 'sleep 1', workingDir: '/srv' }))

  expect(check).toThrow(`\n  ${job}, a job: "sleep 1" in /srv`)
})

test('does not mind what was there before, nor what has gone', () => {
  const state = tempDir()
  for (const name of ['j1', 'j2']) mkdirSync(join(state, 'jobs', name), { recursive: true })
  const check = watchState([state, join(state, 'missing')])
  writeFileSync(join(state, 'jobs', 'j1', 'exit.json'), '{}')
  rmSync(join(state, 'jobs', 'j2'), { recursive: true })

  expect(check).not.toThrow()
})
