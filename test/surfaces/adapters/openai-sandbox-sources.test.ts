// local_file and local_dir of a manifest, where commands can write to what they name.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { endJobs } from '../../support/jobs.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { testWorkspace } from '../../support/workspace.js'
import { closeSessions, type Session, sessionOf } from './openai-sandbox-agent.js'

const before = process.cwd()

afterEach(async () => {
  process.chdir(before)
  await closeSessions()
  await endJobs()
  removeTempDirs()
})

interface Setting {
  session: Session
  base: string
  workspace: string
}

/** A session in the directory `workspace` of where this process is; `secrets` beside it is unreadable for its commands. */
const setUp = async (): Promise<Setting> => {
  const base = realpathSync(tempDir())
  const workspace = join(base, 'workspace')
  mkdirSync(join(workspace, 'assets'), { recursive: true })
  mkdirSync(join(base, 'secrets'))
  writeFileSync(join(base, 'secrets', 'key'), 'secret')
  process.chdir(base)
  const session = await sessionOf({
    workingDir: workspace,
    workspace: { unreadable: ['default', join(base, 'secrets')] },
  })
  return { session, base, workspace }
}

const copied = async (session: Session, type: string, src: string, more: object = {}): Promise<void> =>
  await session.materializeEntry({ path: 'copy', entry: { type, src, ...more } as never })

describe('a link that a command has put on the way to a source is not followed', () => {
  testWorkspace('to a file', async () => {
    const { session, workspace } = await setUp()
    await session.exec({ cmd: 'rmdir assets; ln -s ../secrets assets' })

    await expect(copied(session, 'local_file', 'workspace/assets/key')).rejects.toThrow(
      `local_file: ${workspace}/assets is a symbolic link`,
    )
  })

  testWorkspace('to a directory', async () => {
    const { session, workspace } = await setUp()
    await session.exec({ cmd: 'ln -s ../.. assets/up' })

    await expect(copied(session, 'local_dir', 'workspace/assets/up/secrets')).rejects.toThrow(
      `local_dir: ${workspace}/assets/up is a symbolic link`,
    )
  })

  testWorkspace('that is the last name', async () => {
    const { session, workspace } = await setUp()
    await session.exec({ cmd: 'ln -s ../../secrets/key assets/key; ln -s ../../secrets assets/all' })

    for (const [type, name] of [
      ['local_file', 'key'],
      ['local_dir', 'all'],
    ] as const) {
      await expect(copied(session, type, `workspace/assets/${name}`)).rejects.toThrow(
        `${type}: ${workspace}/assets/${name} is a symbolic link`,
      )
    }
  })
})

testWorkspace('a grant that a command has led elsewhere is not read', async () => {
  const { session, base, workspace } = await setUp()
  await session.exec({ cmd: 'rmdir assets; ln -s ../secrets assets' })
  const grant = join(workspace, 'assets')
  const manifest = {
    entries: { copy: { type: 'local_file', src: join(grant, 'key') } },
    extraPathGrants: [{ path: grant, readOnly: true }],
  } as never
  mkdirSync(join(base, 'elsewhere'))
  process.chdir(join(base, 'elsewhere'))

  await expect(sessionOf({}, manifest)).rejects.toThrow(
    `a symbolic link in ${workspace}, where commands can write, leads to ${base}/secrets`,
  )
})

testWorkspace('a grant may be a link of the host', async () => {
  const base = realpathSync(tempDir())
  mkdirSync(join(base, 'data'))
  writeFileSync(join(base, 'data', 'file'), 'text')
  symlinkSync('data', join(base, 'link'))
  const entries = {
    named: { type: 'local_file', src: join(base, 'link', 'file') },
    real: { type: 'local_file', src: join(base, 'data', 'file') },
  }
  const extraPathGrants = [{ path: join(base, 'link'), readOnly: true }]
  const { state } = await sessionOf({}, { entries, extraPathGrants } as never)
  const texts = ['named', 'real'].map((name) => readFileSync(join(state.workspaceRootPath, name), 'utf8'))

  expect(texts).toEqual(['text', 'text'])
})

describe('a directory that is copied is bounded', () => {
  testWorkspace('in depth, and takes no descriptor for each level', async () => {
    const { session } = await setUp()
    await session.exec({ cmd: 'cd assets; mkdir -p "$(printf "d/%.0s" {1..70})"' })
    const openBefore = readdirSync('/proc/self/fd').length
    let most = 0
    const looking = setInterval(() => {
      most = Math.max(most, readdirSync('/proc/self/fd').length)
    }, 5)
    try {
      await expect(copied(session, 'local_dir', 'workspace/assets')).rejects.toThrow(
        'local_dir: workspace/assets has directories more than 64 deep',
      )
    } finally {
      clearInterval(looking)
    }

    expect(most - openBefore).toBeLessThan(40)
  })

  testWorkspace('in number', async () => {
    const { session } = await setUp()
    await session.exec({ cmd: 'cd assets; mkdir d; cd d; seq 10000 | xargs touch' })

    await expect(copied(session, 'local_dir', 'workspace/assets')).rejects.toThrow(
      'local_dir: workspace/assets has more than 10000 files and directories',
    )
  })

  testWorkspace('in the bytes of a file, as a single file is', async () => {
    const { session, workspace } = await setUp()
    const large = join(workspace, 'assets', 'large')
    writeFileSync(large, '')
    truncateSync(large, 256 * 1024 ** 2 + 1)

    await expect(copied(session, 'local_dir', 'workspace/assets')).rejects.toThrow(
      'local_dir: workspace/assets/large has more than 268435456 bytes',
    )
    await expect(copied(session, 'local_file', 'workspace/assets/large')).rejects.toThrow(
      'local_file: workspace/assets/large has more than 268435456 bytes',
    )
  })
})
