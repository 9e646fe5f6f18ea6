// The directory of the jobs must be usable and the user's own; otherwise nothing runs, and the error says why.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BashResult, Job } from '../../../lib/index.js'
import { canBecomeOrdinaryUser, isRoot, ordinaryUid } from '../../support/as-user.js'
import { runHost, startHost } from '../../support/host.js'
import { cannotTest } from '../../support/must-work.js'
import { isAlive, uniqueSleep } from '../../support/processes.js'
import { tempDir } from '../../support/temp-dir.js'
import { leaveNothing } from './live-jobs.js'

afterEach(leaveNothing)

/** Who the host is. The tests themselves may already be an ordinary user. */
const users: [string, boolean][] = isRoot
  ? [
      ['root', false],
      [`user ${ordinaryUid}`, true],
    ]
  : [['the user', false]]

describe.each(users)('as %s', (_, ordinaryUser) => {
  const owner = ordinaryUser ? ordinaryUid : process.getuid?.()
  const canBe = () => {
    const can = !ordinaryUser || canBecomeOrdinaryUser()
    if (!can) cannotTest('setpriv cannot become an ordinary user')
    return can
  }

  /** What the tool answers when a job is started in `directory`, and whether anything of it has run. */
  const startIn = async (directory: string, umask?: number) => {
    const ran = join(tempDir({ owner }), 'ran')
    const argument = { directory, background: [`touch ${ran}`], umask }
    const [result] = await runHost<BashResult[]>('jobs-start', { argument, ordinaryUser })
    return { result, ran: () => existsSync(ran) }
  }

  test.each(['022', '000', '077'])(
    'a missing directory is made with mode 0700, at umask %s',
    async (umask) => {
      if (!canBe()) return
      const home = tempDir({ owner })
      const directory = join(home, 'state', 'bashward', 'jobs')
      const { result } = await startIn(directory, Number.parseInt(umask, 8))

      expect(result).toMatchObject({ status: 'background' })
      const made = ['state', 'state/bashward', 'state/bashward/jobs', `state/bashward/jobs/${result?.jobId}`]
      const modes = made.map((name) => statSync(join(home, name)).mode & 0o7777)
      expect(modes).toEqual(made.map(() => 0o700))
      expect(made.map((name) => statSync(join(home, name)).uid)).toEqual(made.map(() => owner))
    },
  )

  test.each(['0777', '0770', '1777', '0702'])('one with mode %s is refused', async (mode) => {
    if (!canBe()) return
    const directory = tempDir({ owner })
    chmodSync(directory, Number.parseInt(mode, 8))
    const { result, ran } = await startIn(directory)

    expect(result).toMatchObject({
      status: 'error',
      error: {
        code: 'ERR_JOB_DIRECTORY',
        message: expect.stringContaining(`its mode ${mode} lets others write`),
      },
    })
    expect(result?.error?.message).toContain(directory)
    expect(ran()).toBe(false)
  })

  test('one of another user is refused', async () => {
    if (!canBe()) return
    const directory = ordinaryUser ? tempDir() : isRoot ? tempDir({ owner: ordinaryUid }) : '/'
    const { result, ran } = await startIn(directory)

    expect(result).toMatchObject({
      status: 'error',
      error: { code: 'ERR_JOB_DIRECTORY', message: expect.stringContaining(`not to ${owner}`) },
    })
    expect(ran()).toBe(false)
  })

  test('a file in its place is refused', async () => {
    if (!canBe()) return
    const { result, ran } = await startIn('/etc/passwd')

    expect(result).toMatchObject({ status: 'error', error: { code: 'ERR_JOB_DIRECTORY' } })
    expect(result?.error?.message).toContain('ENOTDIR')
    expect(ran()).toBe(false)
  })

  test('a foreground command runs all the same; what it leaves is listed, and no more', async () => {
    if (!canBe()) return
    const marker = uniqueSleep()
    const directory = tempDir({ owner })
    chmodSync(directory, 0o777)
    const argument = { directory, foreground: [`sleep ${marker} & echo on`] }
    const host = startHost('jobs-start', { argument, ordinaryUser })
    const [result] = await host.report<BashResult[]>('finished')

    expect(result).toMatchObject({ status: 'completed', output: 'on\n', survivors: [{ daemon: false }] })
    expect(result?.jobId).toBeUndefined()
    expect(isAlive(result?.survivors[0]?.pid ?? 0)).toBe(true)
  })
})

test('on a file system that is read-only nothing runs, and the error says why', async () => {
  const directory = tempDir()
  chmodSync(directory, 0o700)
  const user = isRoot ? [] : ['--user', '--map-root-user']
  const script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
  const prefix = ['unshare', ...user, '--mount', '--propagation', 'private', 'sh', '-c', script, directory]
  if (spawnSync('unshare', [...prefix.slice(1), 'true'], { stdio: 'ignore' }).status !== 0) {
    return cannotTest('a file system can only be mounted by root or in a user namespace')
  }
  const ran = join(tempDir(), 'ran')
  const argument = { directory, background: [`touch ${ran}`] }
  const [result] = await runHost<BashResult[]>('jobs-start', { argument, prefix })

  expect(result).toMatchObject({
    status: 'error',
    error: { code: 'ERR_JOB_DIRECTORY', message: expect.stringMatching(/^mkdir \S+: EROFS/) },
  })
  expect(existsSync(ran)).toBe(false)
})

describe('a directory that its user may not write to', () => {
  /** Root may write anywhere; a test needs somebody else. */
  const asOrdinaryUser = async (directory: string) => {
    const argument = { directory, background: ['echo ran'] }
    const [result] = await runHost<BashResult[]>('jobs-start', { argument, ordinaryUser: isRoot })
    return result
  }
  const owner = isRoot ? ordinaryUid : undefined

  test('the directory of all jobs', async () => {
    if (!canBecomeOrdinaryUser()) return cannotTest('setpriv cannot become an ordinary user')
    const directory = tempDir({ owner })
    chmodSync(directory, 0o500)

    expect(await asOrdinaryUser(directory)).toMatchObject({
      status: 'error',
      error: { code: 'ERR_JOB_DIRECTORY', message: expect.stringMatching(/^mkdir \S+: EACCES/) },
    })
  })

  test('the one above a missing one', async () => {
    if (!canBecomeOrdinaryUser()) return cannotTest('setpriv cannot become an ordinary user')
    const home = tempDir({ owner })
    chmodSync(home, 0o500)

    const result = await asOrdinaryUser(join(home, 'bashward', 'jobs'))
    expect(result).toMatchObject({
      status: 'error',
      error: { code: 'ERR_JOB_DIRECTORY', message: expect.stringMatching(/^mkdir \S+: EACCES/) },
    })
  })

  test('jobs that are there can still be read', async () => {
    if (!canBecomeOrdinaryUser()) return cannotTest('setpriv cannot become an ordinary user')
    const directory = join(tempDir({ owner }), 'jobs')
    mkdirSync(directory, { mode: 0o700 })
    if (owner !== undefined) chownSync(directory, owner, owner)
    const started = await asOrdinaryUser(directory)
    chmodSync(directory, 0o500)
    const id = started?.jobId
    const { listed, waited } = await runHost<{ listed: Job[]; waited: Job }>('jobs-take-over', {
      argument: { directory, read: id, wait: id },
      ordinaryUser: isRoot,
    })
    chmodSync(directory, 0o700)

    expect(listed).toMatchObject([{ id }])
    expect(waited).toMatchObject({ status: 'completed' })
  })
})
