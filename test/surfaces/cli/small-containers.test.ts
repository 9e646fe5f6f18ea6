// What small containers lack: a home directory, a directory for temporary files, /dev/null.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prefixWithScript } from '../../support/mounts.js'
import { cannotTest } from '../../support/must-work.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { testWorkspace } from '../../support/workspace.js'
import { binPath } from './program.js'

afterAll(removeTempDirs)

/** Null where nothing can be mounted. */
const mounted = (script: string, directory: string): string[] | null =>
  prefixWithScript(script, directory) ?? null

/** Undefined where nothing can be mounted. */
const bashward = (args: string[], env: NodeJS.ProcessEnv = {}, prefix: string[] | null = []) => {
  if (prefix === null) {
    cannotTest('a file system can only be mounted by root or in a user namespace')
    return undefined
  }
  const [program = '', ...words] = [...prefix, process.execPath, binPath, ...args]
  const options = { cwd: '/', env: { ...process.env, ...env }, encoding: 'utf8', timeout: 120_000 } as const
  const { status, stdout, stderr } = spawnSync(program, words, options)
  return { status, stdout, stderr }
}

const background = ['run', '--mode', 'background', 'echo hi']
const wayOut = 'set XDG_STATE_HOME to a directory that can be written, or give JobStore({ directory })'

describe('a HOME that is not there', () => {
  const home = () => join(tempDir(), 'none')

  test('is not made, and a background job says what helps', () => {
    const HOME = home()
    expect(bashward(background, { HOME, XDG_STATE_HOME: undefined })).toEqual({
      status: 125,
      stdout: '',
      stderr: `[system error: find the home directory ${HOME}: ENOENT (no such file or directory): ${wayOut}]\n`,
    })
    expect(existsSync(HOME)).toBe(false)
    expect(bashward(background, { HOME, XDG_STATE_HOME: join(tempDir(), 'state') })).toMatchObject({
      status: 0,
    })
  })

  test('other commands do without it', () => {
    const env = { HOME: home(), XDG_STATE_HOME: undefined }
    expect(bashward(['run', 'sleep 0.1 & echo hi'], env)).toMatchObject({ status: 0, stdout: 'hi\n' })
    expect(existsSync(env.HOME)).toBe(false)
  })

  testWorkspace('Workspace mode, too', async () => {
    const env = { HOME: home(), XDG_STATE_HOME: undefined }
    expect(bashward(['run', '--workspace', tempDir(), 'echo hi'], env)).toMatchObject({
      status: 0,
      stdout: 'hi\n',
    })
    expect(existsSync(env.HOME)).toBe(false)
  })
})

test('of a HOME that is read-only a background job says what helps', () => {
  const HOME = tempDir()
  const readOnly = mounted('mount -t tmpfs -o ro none "$1"', HOME)
  const ended = bashward(background, { HOME, XDG_STATE_HOME: undefined }, readOnly)
  if (ended === undefined) return
  expect(ended).toMatchObject({ status: 125, stdout: '' })
  expect(ended.stderr).toContain(`/.local/state/bashward/jobs/bash_`)
  expect(ended.stderr).toContain(`EROFS (read-only file system): ${wayOut}]`)
})

describe('Workspace mode runs `df` and `rm`', () => {
  const remove = (TMPDIR: string, prefix: string[] | null = []) => {
    const workspace = tempDir()
    writeFileSync(join(workspace, 'large'), 'x')
    const command = `df . >/dev/null && rm large && echo "$TMPDIR"`
    const ended = bashward(['run', '--workspace', workspace, command], { TMPDIR }, prefix)
    if (ended === undefined) return
    expect(ended).toMatchObject({ status: 0, stderr: '' })
    expect(readdirSync(workspace)).toEqual([])
    return ended.stdout
  }

  testWorkspace('where TMPDIR is missing', async () => {
    expect(remove(join(tempDir(), 'none'))).toMatch(/^\/(?:tmp|var\/tmp)\/bashward-scratch-/)
  })

  testWorkspace('where it is full', async () => {
    const directory = tempDir()
    const fill =
      'mount -t tmpfs -o size=64k none "$1" && { head -c 200k /dev/zero > "$1/full" 2>/dev/null; true; }'
    expect(remove(directory, mounted(fill, directory)) ?? directory).toContain(directory)
  })

  testWorkspace('where no directory can be made in it', async () => {
    const directory = tempDir()
    const shown = remove(directory, mounted('mount -t tmpfs -o nr_inodes=1 none "$1"', directory))
    if (shown !== undefined) expect(shown).toMatch(/^\/(?:tmp|var\/tmp)\/bashward-scratch-/)
  })
})

describe('a /dev/null that is not there', () => {
  const bare =
    'mount -t tmpfs none "$1" && for each in urandom zero; do touch "$1/$each" && mount --bind /dev/$each "$1/$each" || exit; done && mount --rbind "$1" /dev'

  test.each(['native', 'portable'])('is named: %s engine', (engine) => {
    const env = { BASHWARD_ENGINE: engine }
    const ended = bashward(['run', 'echo hi'], env, mounted(bare, tempDir()))
    if (ended === undefined) return
    expect(ended).toEqual({
      status: 125,
      stdout: '',
      stderr: '[system error: open /dev/null: ENOENT (no such file or directory)]\n',
    })
  })
})
