// A user without a home directory, as in a container that was started with a number for its user.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { rootPrefix } from '../../support/as-root.js'
import { packageRootForOrdinaryUser } from '../../support/as-user.js'
import { cannotTest } from '../../support/must-work.js'
import { removeTempDirs } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

/** In no user database. */
const unknownUid = '2000000001'

/** The words before a command that make it that user's; undefined where nobody may become him. */
const asUnknownUser = (): string[] | undefined => {
  const root = rootPrefix()
  const prefix =
    root === undefined
      ? ['unshare', '--user', `--map-user=${unknownUid}`, `--map-group=${unknownUid}`, '--']
      : [...root, 'setpriv', '--reuid', unknownUid, '--regid', unknownUid, '--clear-groups', '--']
  const [program = '', ...args] = prefix
  return spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0 ? prefix : undefined
}

const user = asUnknownUser()

const bashward = (args: string[]) => {
  const [program = '', ...words] = [
    ...(user ?? []),
    ...['env', '--ignore-environment', `PATH=${process.env.PATH}`],
    ...[process.execPath, join(packageRootForOrdinaryUser(), 'dist/cli/bin.js'), ...args],
  ]
  return spawnSync(program, words, { cwd: '/', encoding: 'utf8' })
}

test('a command runs', () => {
  if (user === undefined) return cannotTest('only root, or a user namespace, can become another user')

  expect(bashward(['run', 'cd / && echo hi'])).toMatchObject({ status: 0, stdout: 'hi\n', stderr: '' })
})

test('a command is checked', () => {
  if (user === undefined) return cannotTest('only root, or a user namespace, can become another user')

  expect(bashward(['check', 'git add .'])).toMatchObject({ status: 1, stderr: '' })
})

test('there is no directory for background jobs, and the error says so', () => {
  if (user === undefined) return cannotTest('only root, or a user namespace, can become another user')

  expect(bashward(['run', '--mode', 'background', 'true'])).toMatchObject({
    status: 125,
    stderr: expect.stringContaining('the home directory: ENOENT'),
  })
})
