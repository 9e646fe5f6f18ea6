// Where jobs are kept, and who must own that directory.
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { constants, homedir } from 'node:os'
import { join } from 'node:path'
import {
  checkJobsDirectory,
  defaultJobsDirectory,
  isJobId,
  jobPaths,
} from '../../../lib/commands/jobs/directory.js'
import { newJobId } from '../../../lib/commands/jobs/plan.js'
import { asOrdinaryUser, isRoot, ordinaryOwner, ordinaryUid } from '../../support/as-user.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterEach(removeTempDirs)

const { ENOTDIR, EPERM } = constants.errno

describe('defaultJobsDirectory', () => {
  test('is below XDG_STATE_HOME', () => {
    expect(defaultJobsDirectory({ XDG_STATE_HOME: '/state', HOME: '/home/u' })).toBe('/state/bashward/jobs')
  })

  test.each([undefined, '', 'relative/state'])(
    'is below the home directory with XDG_STATE_HOME=%p',
    (state) => {
      const home = tempDir()
      expect(defaultJobsDirectory({ XDG_STATE_HOME: state, HOME: home })).toBe(
        `${home}/.local/state/bashward/jobs`,
      )
    },
  )

  test('refuses a home directory that is not there, or is none', () => {
    const file = join(tempDir(), 'file')
    writeFileSync(file, '')
    const reasons = [
      ['/nonexistent', 'ENOENT'],
      [file, 'ENOTDIR'],
      [`${file}/below`, 'ENOENT'],
    ] as const
    for (const [home, reason] of reasons) {
      expect(() => defaultJobsDirectory({ HOME: home })).toThrow(
        expect.objectContaining({
          code: 'ERR_JOB_DIRECTORY',
          path: home,
          message: expect.stringMatching(
            `^find the home directory .*${reason}.*: set XDG_STATE_HOME .*JobStore`,
          ),
        }),
      )
    }
  })

  test('is below the home directory of the user database without HOME', () => {
    const home = process.env.HOME
    delete process.env.HOME
    try {
      expect(defaultJobsDirectory({})).toBe(join(homedir(), '.local/state/bashward/jobs'))
    } finally {
      if (home !== undefined) process.env.HOME = home
    }
  })

  test.each(['', 'relative'])('refuses the home directory %p', (home) => {
    expect(() => defaultJobsDirectory({ HOME: home })).toThrow(
      expect.objectContaining({ code: 'ERR_JOB_DIRECTORY', path: 'the home directory' }),
    )
  })
})

describe('checkJobsDirectory', () => {
  test('tells that there is none, and does not create it', () => {
    const root = join(tempDir(), 'jobs')

    expect(checkJobsDirectory(root)).toBe(false)
    expect(existsSync(root)).toBe(false)
  })

  test.each([0o770, 0o720, 0o702, 0o1777])('refuses one with mode %o', (mode) => {
    const root = tempDir()
    chmodSync(root, mode)

    expect(() => checkJobsDirectory(root)).toThrow(
      expect.objectContaining({
        code: 'ERR_JOB_DIRECTORY',
        step: 'check',
        errno: EPERM,
        path: root,
        message: expect.stringContaining(`its mode ${mode.toString(8).padStart(4, '0')} lets others write`),
      }),
    )
  })

  test('refuses one that belongs to another user', () => {
    const root = isRoot ? tempDir({ owner: ordinaryUid }) : '/proc'

    expect(() => checkJobsDirectory(root)).toThrow(
      expect.objectContaining({
        step: 'check',
        errno: EPERM,
        message: expect.stringContaining('belongs to user'),
      }),
    )
  })

  test('refuses what is no directory', () => {
    const file = join(tempDir(), 'file')
    writeFileSync(file, '')

    expect(() => checkJobsDirectory(file)).toThrow(
      expect.objectContaining({ step: 'check', errno: ENOTDIR, path: file }),
    )
  })

  test('judges what a symbolic link leads to', () => {
    const dir = tempDir()
    const open = join(dir, 'open')
    mkdirSync(open)
    chmodSync(open, 0o777)
    symlinkSync(open, join(dir, 'link'))

    expect(() => checkJobsDirectory(join(dir, 'link'))).toThrow(expect.objectContaining({ errno: EPERM }))
  })

  test('accepts it for the user who owns it', async () => {
    const root = tempDir({ owner: ordinaryOwner })

    await asOrdinaryUser(() => expect(checkJobsDirectory(root)).toBe(true))
  })
})

describe('newJobId', () => {
  test('is bash_ and six letters or digits', () => {
    const root = tempDir()

    for (let i = 0; i < 200; i++) expect(newJobId(root)).toMatch(/^bash_[a-z0-9]{6}$/)
  })

  test('is not one that exists', () => {
    const root = tempDir()
    mkdirSync(join(root, 'bash_000000'))
    let calls = 0

    expect(newJobId(root, () => calls++)).toBe('bash_000001')
  })
})

describe('isJobId', () => {
  test.each(['bash_k3v9x2', 'bash_k3v9x2ab'])('accepts %p', (id) => {
    expect(isJobId(id)).toBe(true)
  })

  test.each([
    '',
    'bash_1',
    'bash_K3V9X2',
    '../bash_k3v9x2',
    'bash_k3v9x2/..',
    'bash_k3v9x2\n',
    'bash_k3v9x2abc',
    7,
  ])('refuses %p', (id) => {
    expect(isJobId(id)).toBe(false)
  })
})

test('jobPaths are inside the directory of the job', () => {
  expect(jobPaths('/jobs', 'bash_aaaaaa')).toEqual({
    directory: '/jobs/bash_aaaaaa',
    record: '/jobs/bash_aaaaaa/job.json',
    output: '/jobs/bash_aaaaaa/output',
    exit: '/jobs/bash_aaaaaa/exit.json',
  })
})
