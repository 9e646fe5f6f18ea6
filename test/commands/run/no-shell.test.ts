// A bash that cannot be started: a typed error that says which one and why.
import { mkdirSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { createBashTool, run } from '../../../lib/index.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

const path = process.env.PATH
afterEach(() => {
  process.env.PATH = path
})
afterAll(removeTempDirs)

const { ENOENT, EACCES, ENOEXEC } = constants.errno

const shells: [string, number, string, () => string][] = [
  ['missing', ENOENT, 'ENOENT (no such file or directory)', () => join(tempDir(), 'bash')],
  [
    'a directory',
    EACCES,
    'EACCES (permission denied)',
    () => {
      const shell = join(tempDir(), 'bash')
      mkdirSync(shell)
      return shell
    },
  ],
  [
    'not executable',
    EACCES,
    'EACCES (permission denied)',
    () => {
      const shell = join(tempDir(), 'bash')
      writeFileSync(shell, '#!/bin/sh\n', { mode: 0o644 })
      return shell
    },
  ],
]

describe('shellPath', () => {
  test.each(shells)(
    '%s: run() rejects with the step, the error number and the path',
    async (_, errno, reason, make) => {
      const shellPath = make()

      await expect(run('true', { cwd: '/', shellPath })).rejects.toMatchObject({
        name: 'BashError',
        code: 'ERR_SPAWN',
        step: 'execve',
        errno,
        path: shellPath,
        message: `execve ${shellPath}: ${reason}`,
      })
    },
  )

  test('not a program: the error has its name', async () => {
    const shellPath = join(tempDir(), 'bash')
    writeFileSync(shellPath, 'no program\n', { mode: 0o755 })

    await expect(run('true', { cwd: '/', shellPath })).rejects.toMatchObject({
      code: 'ERR_SPAWN',
      errno: ENOEXEC,
      message: expect.stringContaining('ENOEXEC'),
    })
  })

  test.each(shells)('%s: the tool gives a system error', async (_, __, reason, make) => {
    const shellPath = make()
    const tool = createBashTool({ shellPath })
    const result = await tool.execute({ command: 'true' }, { workingDir: '/' })

    expect(result).toMatchObject({
      status: 'error',
      exitCode: null,
      usage: null,
      error: { code: 'ERR_SPAWN' },
    })
    expect(tool.toText(result)).toBe(`[system error: execve ${shellPath}: ${reason}]`)
  })
})

/** As on a machine whose system has no bash. */
jest.mock('../../../lib/base/util/system-programs.js', () => ({
  ...jest.requireActual('../../../lib/base/util/system-programs.js'),
  systemDirectories: [],
}))

describe('no bash on PATH', () => {
  const text = 'find bash on PATH: ENOENT (no such file or directory)'

  test('run() rejects with the step and the error number', async () => {
    process.env.PATH = '/nonexistent'

    await expect(run('true', { cwd: '/' })).rejects.toMatchObject({
      name: 'BashError',
      code: 'ERR_SPAWN',
      step: 'find bash on PATH',
      errno: ENOENT,
      message: text,
    })
  })

  test('the tool gives a system error', async () => {
    process.env.PATH = '/nonexistent'
    const tool = createBashTool()
    const result = await tool.execute({ command: 'true' }, { workingDir: '/' })

    expect(tool.toText(result)).toBe(`[system error: ${text}]`)
  })

  test('shellPath is used without a search', async () => {
    process.env.PATH = '/nonexistent'

    expect(await run('echo on', { cwd: '/', shellPath: '/bin/bash' })).toMatchObject({ output: 'on\n' })
  })

  test('once there is one again, commands run', async () => {
    process.env.PATH = '/nonexistent'
    await run('true', { cwd: '/' }).catch(() => {})
    process.env.PATH = path

    expect(await run('echo on', { cwd: '/' })).toMatchObject({ output: 'on\n' })
  })
})
