// The files of a session of openaiSandbox(): no link and no race leads out of the workspace, and a policy goes for them, too.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { endJobs } from '../../support/jobs.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { testWorkspace } from '../../support/workspace.js'
import { closeSessions, sessionOf } from './openai-sandbox-agent.js'

afterEach(async () => {
  await closeSessions()
  await endJobs()
  removeTempDirs()
})

/** A workspace, and what lies beside it. */
const setUp = async (options = {}) => {
  const base = realpathSync(tempDir())
  const workingDir = join(base, 'project')
  mkdirSync(workingDir)
  mkdirSync(join(base, 'beside'))
  writeFileSync(join(base, 'outside'), 'kept')
  const session = await sessionOf({ workingDir, ...options })
  return { base, workingDir, session, editor: session.createEditor() }
}

const create = (path: string) => ({ type: 'create_file' as const, path, diff: '+x\n' })
const escapes = expect.objectContaining({
  message: expect.stringMatching(/escapes? (?:the workspace )?root/),
})
const readOnly = expect.objectContaining({ code: 'EROFS' })

testWorkspace('reads, lists and finds what is in the workspace', async () => {
  const { workingDir, session } = await setUp()
  mkdirSync(join(workingDir, 'sub'))
  writeFileSync(join(workingDir, 'sub', 'file'), 'text')
  symlinkSync('file', join(workingDir, 'sub', 'link'))

  expect(Buffer.from(await session.readFile({ path: 'sub/link' })).toString()).toBe('text')
  expect(await session.readFile({ path: `${workingDir}/sub/file`, maxBytes: 2 })).toHaveLength(2)
  expect(await session.listDir({ path: 'sub' })).toEqual([
    { name: 'file', path: 'sub/file', type: 'file' },
    { name: 'link', path: 'sub/link', type: 'other' },
  ])
  expect(await session.pathExists('sub/file')).toBe(true)
  expect(await session.pathExists('sub/file/not')).toBe(false)
  expect(await session.directoryExists('sub')).toBe(true)
  expect(await session.directoryExists('sub/file')).toBe(false)
  await expect(session.readFile({ path: 'gone' })).rejects.toMatchObject({ code: 'ENOENT' })
})

testWorkspace('gives images', async () => {
  const { workingDir, session } = await setUp()
  const png = Buffer.from('\x89PNG\r\n\x1a\n…', 'latin1')
  writeFileSync(join(workingDir, 'image'), png)
  writeFileSync(join(workingDir, 'text'), 'no image')
  writeFileSync(join(workingDir, 'large'), Buffer.alloc(10 * 1024 * 1024 + 1))

  expect(await session.viewImage({ path: 'image' })).toMatchObject({ image: { mediaType: 'image/png' } })
  await expect(session.viewImage({ path: 'text' })).rejects.toThrow('Unsupported image format')
  await expect(session.viewImage({ path: 'large' })).rejects.toThrow('exceeds the 10 MB limit')
  await expect(session.viewImage({ path: 'gone' })).rejects.toThrow('not found')
  await expect(session.viewImage({ path: '.' })).rejects.toThrow('not a file')
})

describe('what is outside', () => {
  testWorkspace('is not read, listed or found: neither by name nor through a link', async () => {
    const { workingDir, session } = await setUp()
    symlinkSync('../outside', join(workingDir, 'link'))
    symlinkSync('..', join(workingDir, 'up'))

    for (const path of ['../outside', 'link', 'up/outside', '/etc/hosts']) {
      await expect(session.readFile({ path })).rejects.toEqual(escapes)
      await expect(session.pathExists(path)).rejects.toThrow(/escape/)
      await expect(session.viewImage({ path })).rejects.toThrow(/escape/)
    }
    await expect(session.listDir({ path: 'up' })).rejects.toEqual(escapes)
    await expect(session.directoryExists('up')).rejects.toEqual(escapes)
  })

  testWorkspace('is not written, moved over or deleted, whatever links there are', async () => {
    const { base, workingDir, editor } = await setUp()
    writeFileSync(join(workingDir, 'own'), 'x\n')
    symlinkSync('../outside', join(workingDir, 'link'))
    symlinkSync('../new', join(workingDir, 'dangling'))
    symlinkSync('..', join(workingDir, 'up'))

    await expect(editor.createFile(create('../outside'))).rejects.toEqual(escapes)
    for (const path of ['up/new', 'up/beside/new']) {
      await expect(editor.createFile(create(path))).rejects.toEqual(readOnly)
    }
    for (const path of ['link', 'dangling']) await expect(editor.createFile(create(path))).rejects.toThrow()
    const change = { type: 'update_file' as const, path: 'link', diff: '@@\n-kept\n+x\n' }
    await expect(editor.updateFile(change)).rejects.toEqual(escapes)
    const move = { type: 'update_file' as const, path: 'own', diff: '@@\n-x\n+y\n', moveTo: 'up/moved' }
    await expect(editor.updateFile(move)).rejects.toEqual(readOnly)
    await expect(editor.deleteFile({ type: 'delete_file', path: 'up/outside' })).rejects.toEqual(readOnly)
    expect(readFileSync(join(base, 'outside'), 'utf8')).toBe('kept')
    expect(readFileSync(join(workingDir, 'own'), 'utf8')).toBe('x\n')
    for (const name of ['new', 'moved', 'beside/new']) expect(existsSync(join(base, name))).toBe(false)
  })

  testWorkspace(
    'is not reached by a command that exchanges a directory for a link all the time',
    async () => {
      const { base, workingDir, session, editor } = await setUp()
      mkdirSync(join(workingDir, 'd'))
      const swap = 'while :; do mv d e; ln -s ../beside d; rm d; mv e d; done'
      await session.exec({ cmd: swap, yieldTimeMs: 1 })
      for (let round = 0; round < 200; round++) {
        await editor.createFile(create(`d/file${round}`)).catch(() => {})
        await session
          .materializeEntry({ path: `d/entry${round}`, entry: { type: 'file', content: 'x' } })
          .catch(() => {})
      }
      await session.stop()

      const { output } = await session.exec({ cmd: 'ls d e 2>/dev/null | wc -l' })
      expect(Number(output)).toBeGreaterThan(0)
      expect(readdirSync(join(base, 'beside'))).toEqual([])
    },
  )

  testWorkspace('is not copied into an archive, nor written from one', async () => {
    const { base, session } = await setUp()
    await session.exec({ cmd: 'ln -s .. up; ln -s ../outside link; echo text >file; chmod 700 file' })
    const archive = await session.persistWorkspace()
    await session.exec({ cmd: 'rm -f *; echo later >later' })
    await session.hydrateWorkspace(archive)

    const { output } = await session.exec({ cmd: 'ls; stat -c %a file; readlink link' })
    expect(output).toBe('file\nlink\nup\n700\n../outside\n')
    expect(Buffer.from(archive).includes('kept')).toBe(false)

    const evil = await sessionOf({ sandbox: 'unrestricted' })
    await evil.exec({ cmd: 'mkdir -p a/b; echo x >a/b/new' })
    await evil.exec({ cmd: 'tar -cPf ../evil.tar --transform s,a/b,../beside, a/b/new; mv ../evil.tar a' })
    await session.hydrateWorkspace(await evil.readFile({ path: 'a/evil.tar' })).catch(() => {})
    expect(existsSync(join(base, 'beside', 'new'))).toBe(false)
  })
})

describe('a policy', () => {
  testWorkspace('whose unreadable files lie in a granted directory goes for reading', async () => {
    const base = realpathSync(tempDir())
    mkdirSync(join(base, 'keys'))
    writeFileSync(join(base, 'keys', 'key'), 'secret')
    writeFileSync(join(base, 'file'), 'text')
    const workspace = { unreadable: [join(base, 'keys')] }
    const extraPathGrants = [{ path: base, readOnly: true }]
    const session = await sessionOf({ workspace }, { extraPathGrants })

    expect(Buffer.from(await session.readFile({ path: `${base}/file` })).toString()).toBe('text')
    await expect(session.readFile({ path: `${base}/keys/key` })).rejects.toMatchObject({ code: 'EACCES' })
    expect((await session.exec({ cmd: `cat ${base}/keys/key` })).output).not.toContain('secret')
    await expect(session.createEditor().createFile(create(`${base}/new`))).rejects.toThrow('read-only')
    expect((await session.exec({ cmd: `touch ${base}/new` })).exitCode).toBe(1)
  })

  testWorkspace('lets commands and editors write what a manifest grants', async () => {
    const base = realpathSync(tempDir())
    const session = await sessionOf({}, { extraPathGrants: [{ path: base, readOnly: false }] })
    await session.createEditor().createFile(create(`${base}/edited`))

    expect((await session.exec({ cmd: `cat ${base}/edited; echo y >${base}/made` })).exitCode).toBe(0)
    expect(readFileSync(join(base, 'made'), 'utf8')).toBe('y\n')
  })
})

testWorkspace('limits of archives are kept', async () => {
  const session = await sessionOf()
  await session.exec({ cmd: 'head -c 5000 /dev/zero >a; touch b c' })
  const archive = await session.persistWorkspace()
  const hydrate = (archiveLimits: object) => session.hydrateWorkspace(archive, { archiveLimits })

  await expect(hydrate({ maxInputBytes: 100 })).rejects.toThrow('and may have 100')
  await expect(hydrate({ maxMembers: 3 })).rejects.toThrow('has 4 members, and may have 3')
  await expect(hydrate({ maxExtractedBytes: 4999 })).rejects.toThrow('has 5000 bytes of files')
  await hydrate({ maxExtractedBytes: 5000, maxMembers: 4 })
  await expect(session.hydrateWorkspace('no archive')).rejects.toMatchObject({ name: 'SandboxArchiveError' })
})
