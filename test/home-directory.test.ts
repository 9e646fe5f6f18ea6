// A user without a home directory, as in a container that was started with a number for its user.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { isRoot, packageRootForOrdinaryUser } from './support/as-user.js'
import { cannotTest } from './support/must-work.js'
import { removeTempDirs } from './support/temp-dir.js'

afterAll(removeTempDirs)

/** In no user database. */
const unknownUid = '2000000001'

const bashward = (args: string[]) => {
  const user = ['--reuid', unknownUid, '--regid', unknownUid, '--clear-groups', '--']
  const bin = join(packageRootForOrdinaryUser(), 'dist/cli/bin.js')
  const env = { PATH: process.env.PATH }
  return spawnSync('setpriv', [...user, process.execPath, bin, ...args], { cwd: '/', encoding: 'utf8', env })
}

test('a command runs', () => {
  if (!isRoot) return cannotTest('only root can become another user')

  expect(bashward(['run', 'cd / && echo hi'])).toMatchObject({ status: 0, stdout: 'hi\n', stderr: '' })
})

test('a command is checked', () => {
  if (!isRoot) return cannotTest('only root can become another user')

  expect(bashward(['check', 'git add .'])).toMatchObject({ status: 1, stderr: '' })
})

test('there is no directory for background jobs, and the error says so', () => {
  if (!isRoot) return cannotTest('only root can become another user')

  expect(bashward(['run', '--mode', 'background', 'true'])).toMatchObject({
    status: 125,
    stderr: expect.stringContaining('the home directory: ENOENT'),
  })
})
