// Manifests of openaiSandbox(): their entries, and what of them there cannot be.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Manifest } from '@openai/agents/sandbox'
import { endJobs } from '../../support/jobs.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { testWorkspace } from '../../support/workspace.js'
import { clientWith, closeSessions, sessionOf } from './openai-sandbox-agent.js'

afterEach(async () => {
  await closeSessions()
  await endJobs()
  removeTempDirs()
})

const textOf = (root: string, path: string) => readFileSync(join(root, path), 'utf8')

testWorkspace('directories and files are made, with their permissions', async () => {
  const entries = {
    'docs/read.me': { type: 'file', content: 'text' },
    bin: {
      type: 'dir',
      children: { run: { type: 'file', content: '#!/bin/sh\necho ran', permissions: '-rwxr-x---' } },
    },
    bytes: { type: 'file', content: new Uint8Array([0, 255]), permissions: 0o600 },
  }
  const session = await sessionOf({}, { entries } as never)
  const root = session.state.workspaceRootPath

  expect(textOf(root, 'docs/read.me')).toBe('text')
  expect(readFileSync(join(root, 'bytes'))).toEqual(Buffer.from([0, 255]))
  expect(statSync(join(root, 'bytes')).mode & 0o777).toBe(0o600)
  expect(statSync(join(root, 'bin', 'run')).mode & 0o777).toBe(0o750)
  expect((await session.exec({ cmd: 'bin/run' })).output).toBe('ran\n')
})

testWorkspace('files and directories of this machine are copied where they are granted', async () => {
  const source = realpathSync(tempDir())
  mkdirSync(join(source, 'tree', 'sub'), { recursive: true })
  writeFileSync(join(source, 'tree', 'sub', 'tool'), 'x')
  chmodSync(join(source, 'tree', 'sub', 'tool'), 0o700)
  writeFileSync(join(source, 'one'), '1')
  const entries = {
    copy: { type: 'local_dir', src: join(source, 'tree') },
    one: { type: 'local_file', src: join(source, 'one') },
  }
  const granted = { entries, extraPathGrants: [{ path: source, readOnly: true }] } as never
  const root = (await sessionOf({}, granted)).state.workspaceRootPath

  expect(statSync(join(root, 'copy', 'sub', 'tool')).mode & 0o777).toBe(0o700)
  expect(textOf(root, 'one')).toBe('1')
  await expect(sessionOf({}, { entries } as never)).rejects.toThrow('nor in manifest.extraPathGrants')
})

testWorkspace('a link in a directory that is copied is refused', async () => {
  const source = realpathSync(tempDir())
  symlinkSync('/etc/hosts', join(source, 'link'))
  const entries = { copy: { type: 'local_dir', src: source } }

  await expect(
    sessionOf({}, { entries, extraPathGrants: [{ path: source, readOnly: true }] } as never),
  ).rejects.toThrow('link is a symbolic link')
})

describe('a repository', () => {
  const repository = (): { url: string; first: string } => {
    const source = realpathSync(tempDir())
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', source, ...args], { encoding: 'utf8' }).trim()
    const identity = ['-c', 'user.name=n', '-c', 'user.email=n@example.org']
    git('init', '-q', '-b', 'main')
    git('config', 'uploadpack.allowAnySHA1InWant', 'true')
    mkdirSync(join(source, 'part'))
    writeFileSync(join(source, 'part', 'file'), 'first')
    symlinkSync('/etc', join(source, 'out'))
    git('add', '.')
    git(...identity, 'commit', '-q', '-m', 'first')
    const first = git('rev-parse', 'HEAD')
    writeFileSync(join(source, 'part', 'file'), 'second')
    git(...identity, 'commit', '-q', '-a', '-m', 'second')
    return { url: `file://${source}`, first }
  }

  testWorkspace('is cloned, whole or a part, at a branch or a commit', async () => {
    const { url: repo, first } = repository()
    const entries = {
      whole: { type: 'git_repo', repo },
      'a/part': { type: 'git_repo', repo, ref: 'main', subpath: 'part' },
      old: { type: 'git_repo', repo, ref: first, subpath: 'part/file' },
    }
    const root = (await sessionOf({}, { entries } as never)).state.workspaceRootPath

    expect(textOf(root, 'whole/part/file')).toBe('second')
    expect(textOf(root, 'a/part/file')).toBe('second')
    expect(textOf(root, 'old')).toBe('first')
  })

  testWorkspace('that cannot be had fails with what git says', async () => {
    const { url: repo } = repository()
    const made = (entry: object) =>
      sessionOf({}, { entries: { r: { type: 'git_repo', repo, ...entry } } } as never)

    await expect(made({ ref: 'none' })).rejects.toThrow(/git_repo r: .*none/s)
    await expect(made({ subpath: 'out' })).rejects.toThrow('leaves the repository')
    await expect(made({ repo: 'git@example.org:a/b' })).rejects.toThrow(
      'git_repo r: repo: must be owner/name',
    )
    await expect(made({ ref: '--upload-pack=x' })).rejects.toThrow('ref: must not begin')
  })
})

testWorkspace('entries can be added to a session', async () => {
  const session = await sessionOf({}, { entries: { a: { type: 'file', content: '1' } } } as never)
  const root = session.state.workspaceRootPath
  await session.materializeEntry({ path: 'd/b', entry: { type: 'file', content: '2' } })
  await session.applyManifest(
    new Manifest({ entries: { c: { type: 'file', content: '3' } }, environment: { NAME: { value: 'x' } } }),
  )

  expect(textOf(root, 'd/b') + textOf(root, 'c')).toBe('23')
  expect(Object.keys(session.state.manifest.entries)).toEqual(['a', 'd/b', 'c'])
  expect((await session.exec({ cmd: 'echo "$NAME"' })).output).toBe('x\n')
})

test.each([
  ['manifest.users', { users: [{ name: 'bob' }] }],
  ['manifest.groups', { groups: [{ name: 'staff', users: [] }] }],
  ['mount', { entries: { m: { type: 'mount', source: '/srv' } } }],
  ['hostPath', { extraPathGrants: [{ path: '/srv', hostPath: '/tmp' }] }],
])('%s is refused by name', async (name, manifest) => {
  await expect(clientWith().create({ manifest } as never)).rejects.toMatchObject({
    name: 'SandboxUnsupportedFeatureError',
    message: expect.stringContaining(name),
  })
})

testWorkspace('its root is how the model calls the workspace', async () => {
  const manifest = { root: '/app', entries: { 'd/file': { type: 'file', content: 'text' } } }
  const session = await sessionOf({}, manifest as never)
  const { output } = await session.exec({
    cmd: 'pwd; cat /app/d/file; cd "/app/d" && pwd; echo /apples x/app',
  })

  expect(output).toBe('/app\ntext/app/d\n/apples x/app\n')
  expect(Buffer.from(await session.readFile({ path: '/app/d/file' })).toString()).toBe('text')
  expect(await session.pathExists(`${session.state.workspaceRootPath}/d/file`)).toBe(true)
  await expect(sessionOf({}, { root: '/' } as never)).rejects.toThrow(
    'manifest.root: must be a directory below /',
  )
})
