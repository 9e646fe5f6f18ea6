// What a command leaves at the watched paths does not keep the host waiting, nor make it read what is not a file.
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../lib/index.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { waitFor } from '../support/wait-for.js'
import { testWorkspace } from './workspace-hosts.js'

afterAll(removeTempDirs)

const traps: [string, (workspace: string) => void][] = [
  ['a FIFO', (dir) => void execFileSync('mkfifo', [join(dir, '.git/config')])],
  ['a link to an endless device', (dir) => symlinkSync('/dev/zero', join(dir, '.git/config'))],
  ['a link to a terminal', (dir) => symlinkSync('/dev/tty', join(dir, '.git/config'))],
  ['a link to itself', (dir) => symlinkSync('config', join(dir, '.git/config'))],
  ['a directory', (dir) => mkdirSync(join(dir, '.git/config'))],
  [
    'a file of a terabyte',
    (dir) => {
      writeFileSync(join(dir, '.git/config'), '')
      truncateSync(join(dir, '.git/config'), 2 ** 40)
    },
  ],
]

/** What is too large to be read is compared by its time of change, which moves in steps. */
const untilSettled = (path: string): Promise<boolean> =>
  waitFor(() => Date.now() - lstatSync(path).ctimeMs > 2500, { what: `${path} to be old enough` })

const hooks = (dir: string): void => {
  mkdirSync(join(dir, '.git'))
}

describe('at a watched path before the command', () => {
  for (const [what, make] of traps) {
    testWorkspace(`${what} changes nothing`, async () => {
      const workspace = tempDir()
      hooks(workspace)
      make(workspace)
      await untilSettled(join(workspace, '.git/config'))
      const result = await run('echo done', { cwd: workspace, sandbox: 'workspace', timeout: 30_000 })

      expect(result).toMatchObject({ status: 'completed', output: 'done\n' })
      expect(result.protectedChanged ?? []).toEqual([])
    })
  }

  testWorkspace('a .git that is a link elsewhere changes nothing', async () => {
    const workspace = tempDir()
    symlinkSync('/dev', join(workspace, '.git'))
    const result = await run('echo done', { cwd: workspace, sandbox: 'workspace', timeout: 30_000 })

    expect(result).toMatchObject({ status: 'completed', output: 'done\n' })
    expect(result.protectedChanged ?? []).toEqual([])
  })
})

describe('left at a watched path by the command', () => {
  const commands: [string, string][] = [
    ['a FIFO', 'mkfifo .git/config'],
    ['a link to an endless device', 'ln -s /dev/zero .git/config'],
    ['a large file', 'truncate -s 100M .git/config'],
    ['a directory', 'mkdir .git/config'],
  ]
  for (const [what, command] of commands) {
    testWorkspace(`${what} is reported`, async () => {
      const workspace = tempDir()
      hooks(workspace)
      const result = await run(`${command}; echo done`, {
        cwd: workspace,
        sandbox: 'workspace',
        timeout: 30_000,
      })

      expect(result).toMatchObject({ status: 'completed', output: 'done\n' })
      expect(result.protectedChanged).toEqual([join(workspace, '.git/config')])
    })
  }
})
