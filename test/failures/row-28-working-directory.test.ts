// Row 28: a working directory that cannot be entered is a typed error that names it.
import { chmodSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BashResult } from '../../lib/commands/run/result.js'
import { createBashTool, run } from '../../lib/index.js'
import { canBecomeOrdinaryUser } from '../support/as-user.js'
import { killHosts, runHost } from '../support/host.js'
import { cannotTest } from '../support/must-work.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(killHosts)
afterAll(removeTempDirs)

const ENOENT = 2
const EACCES = 13
const ENOTDIR = 20

const directories: [string, number, string, () => string][] = [
  ['missing', ENOENT, 'ENOENT (no such file or directory)', () => join(tempDir(), 'missing')],
  [
    'deleted',
    ENOENT,
    'ENOENT (no such file or directory)',
    () => {
      const dir = join(tempDir(), 'deleted')
      mkdirSync(dir)
      rmdirSync(dir)
      return dir
    },
  ],
  [
    'a file',
    ENOTDIR,
    'ENOTDIR (not a directory)',
    () => {
      const file = join(tempDir(), 'file')
      writeFileSync(file, '')
      return file
    },
  ],
]

describe('row 28: the working directory', () => {
  test.each(directories)(
    '%s: run() rejects with the step, the error number and the path',
    async (_, errno, __, make) => {
      const cwd = make()
      await expect(run('pwd', { cwd })).rejects.toMatchObject({
        name: 'BashError',
        code: 'ERR_WORKING_DIR',
        step: 'chdir',
        errno,
        path: cwd,
      })
    },
  )

  test.each(directories)('%s: the tool gives a system error', async (_, __, reason, make) => {
    const workingDir = make()
    const tool = createBashTool()
    const result = await tool.execute({ command: 'pwd' }, { workingDir })

    expect(result).toMatchObject({ status: 'error', exitCode: null, error: { code: 'ERR_WORKING_DIR' } })
    expect(tool.toText(result)).toBe(`[system error: chdir ${workingDir}: ${reason}]`)
  })

  test('unreadable: EACCES for an ordinary user', async () => {
    if (!canBecomeOrdinaryUser()) return cannotTest('setpriv cannot change the user here')
    const cwd = join(tempDir(), 'closed')
    mkdirSync(cwd)
    chmodSync(cwd, 0)
    const { results } = await runHost<{ results: [{ thrown: unknown }] }>('run-commands', {
      argument: { commands: [{ command: 'pwd', options: { cwd } }] },
      ordinaryUser: true,
    })

    expect(results[0].thrown).toMatchObject({
      name: 'BashError',
      code: 'ERR_WORKING_DIR',
      step: 'chdir',
      errno: EACCES,
      path: cwd,
    })
  })

  test('that of the host is deleted: commands run elsewhere, and there it is a typed error', async () => {
    const outcome = await runHost<{
      elsewhere: BashResult
      there: { code: string; message: string }
      relative: { code: string; message: string }
      toolResult: BashResult
      text: string
      dir: string
    }>('removed-directory')

    expect(outcome.elsewhere).toMatchObject({ status: 'completed', output: '/\n' })
    expect(outcome.there.code).toBe('ERR_WORKING_DIR')
    expect(outcome.relative.code).toBe('ERR_WORKING_DIR')
    expect(outcome.toolResult).toMatchObject({ status: 'error', error: { code: 'ERR_WORKING_DIR' } })
    expect(outcome.text).toContain(`chdir ${outcome.dir}: ENOENT`)
  })
})
