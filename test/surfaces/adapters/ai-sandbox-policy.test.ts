// The AI SDK's SandboxSession with a policy: its own methods open no more than its commands could.
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sandboxSession } from '../../../lib/surfaces/adapters/ai.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterEach(removeTempDirs)

/** A directory with a project in it, whose session is in Workspace mode, and what lies beside it. */
const setUp = () => {
  const base = realpathSync(tempDir())
  const project = join(base, 'project')
  mkdirSync(join(base, 'secrets'))
  mkdirSync(project)
  writeFileSync(join(base, 'outside'), 'kept')
  writeFileSync(join(base, 'secrets', 'key'), 'secret')
  const session = sandboxSession(project, { sandbox: 'workspace', workspace: { unreadable: ['../secrets'] } })
  return { base, project, session }
}

const readOnly = expect.objectContaining({ code: 'EROFS' })
const unreadable = expect.objectContaining({ code: 'EACCES' })

describe('writing', () => {
  test('makes a file in the workspace, and the directories above it', async () => {
    const { project, session } = setUp()
    await session.writeTextFile({ path: 'a/b/file', content: 'new' })

    expect(readFileSync(join(project, 'a/b/file'), 'utf8')).toBe('new')
  })

  test('takes the place of what was in a file', async () => {
    const { project, session } = setUp()
    writeFileSync(join(project, 'file'), 'longer than that')
    await session.writeTextFile({ path: 'file', content: 'new' })

    expect(readFileSync(join(project, 'file'), 'utf8')).toBe('new')
  })

  test('follows a symbolic link within the workspace', async () => {
    const { project, session } = setUp()
    writeFileSync(join(project, 'file'), '')
    symlinkSync('file', join(project, 'link'))
    await session.writeTextFile({ path: 'link', content: 'new' })

    expect(readFileSync(join(project, 'file'), 'utf8')).toBe('new')
  })

  test.each(['../outside', '../new', '../secrets/key', '../new/file', '/etc/bashward-test'])(
    '%s is refused',
    async (path) => {
      const { base, session } = setUp()

      await expect(session.writeTextFile({ path, content: 'x' })).rejects.toEqual(readOnly)
      expect(existsSync(join(base, 'new'))).toBe(false)
      expect(readFileSync(join(base, 'outside'), 'utf8')).toBe('kept')
    },
  )

  test('a link that leads out of the workspace is refused, to a file and in the way', async () => {
    const { base, project, session } = setUp()
    symlinkSync('../outside', join(project, 'link'))
    symlinkSync('..', join(project, 'up'))

    await expect(session.writeTextFile({ path: 'link', content: 'x' })).rejects.toEqual(readOnly)
    await expect(session.writeTextFile({ path: 'up/new', content: 'x' })).rejects.toEqual(readOnly)
    await expect(session.writeTextFile({ path: 'up/new/file', content: 'x' })).rejects.toEqual(readOnly)
    expect(existsSync(join(base, 'new'))).toBe(false)
    expect(readFileSync(join(base, 'outside'), 'utf8')).toBe('kept')
  })

  test('a link to nothing is not followed', async () => {
    const { base, project, session } = setUp()
    symlinkSync('../new', join(project, 'link'))

    await expect(session.writeTextFile({ path: 'link', content: 'x' })).rejects.toThrow(/EEXIST|ELOOP/)
    expect(existsSync(join(base, 'new'))).toBe(false)
  })
})

describe('deleting', () => {
  test('removes a file of the workspace', async () => {
    const { project, session } = setUp()
    writeFileSync(join(project, 'file'), '')

    expect(await session.deleteFile({ path: 'file' })).toBe(true)
    expect(existsSync(join(project, 'file'))).toBe(false)
  })

  test('tells that there is none', async () => {
    expect(await setUp().session.deleteFile({ path: 'gone' })).toBe(false)
  })

  test.each(['../outside', 'up/outside'])('%s is refused', async (path) => {
    const { base, project, session } = setUp()
    symlinkSync('..', join(project, 'up'))

    await expect(session.deleteFile({ path })).rejects.toEqual(readOnly)
    expect(existsSync(join(base, 'outside'))).toBe(true)
  })
})

describe('reading', () => {
  test('reads what is readable, also outside', async () => {
    expect(await setUp().session.readTextFile({ path: '../outside' })).toBe('kept')
  })

  test('by name and through a link, what is unreadable is refused', async () => {
    const { project, session } = setUp()
    symlinkSync('../secrets', join(project, 'link'))

    await expect(session.readTextFile({ path: '../secrets/key' })).rejects.toEqual(unreadable)
    await expect(session.readBinaryFile({ path: 'link/key' })).rejects.toEqual(unreadable)
    await expect(session.readFile({ path: 'link/key' })).rejects.toEqual(unreadable)
  })

  test('what is not there is null', async () => {
    expect(await setUp().session.readTextFile({ path: 'gone' })).toBeNull()
  })

  test('a pattern covers what it matches, and what is below that', async () => {
    const { base, project } = setUp()
    const session = sandboxSession(project, {
      sandbox: 'workspace',
      workspace: { unreadable: [join(base, 'sec*ts')] },
    })

    await expect(session.readTextFile({ path: '../secrets/key' })).rejects.toEqual(unreadable)
    expect(await session.readTextFile({ path: '../outside' })).toBe('kept')
  })
})

test('what is writable does not move with the directory of a command', async () => {
  const { base, session } = setUp()
  const { stderr } = await session.run({
    command: 'echo x >../new; touch new',
    workingDirectory: '../secrets',
  })

  expect(stderr).not.toBe('')
  expect(existsSync(join(base, 'new'))).toBe(false)
  expect(existsSync(join(base, 'secrets', 'new'))).toBe(false)
})
