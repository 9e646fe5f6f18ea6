// A program that commands can change: it says so, and with --strict it does not run.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyPackage, isRoot, ordinaryUid, ordinaryUserPrefix, packageRoot } from '../../support/as-user.js'
import { onlyRootCanTest } from '../../support/must-work.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { testWorkspace } from '../../support/workspace.js'
import { bashward, killPrograms, startProgram } from './program.js'

afterEach(killPrograms)
afterAll(removeTempDirs)

/** A project with the package in its node_modules, as npm installs it. */
const makeProject = (project = realpathSync(tempDir())) => {
  const modules = join(project, 'node_modules')
  const shim = join(modules, '.bin/bashward')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  copyPackage(join(modules, 'bashward'))
  symlinkSync('../bashward/dist/cli/bin.js', shim)
  const start = (...args: string[]) => startProgram(process.execPath, [shim, ...args], { cwd: project })
  return { project, shim, run: (...args: string[]) => start(...args).exited() }
}

const cure = 'install bashward elsewhere (npm install -g bashward), and call it by its absolute path'
const noteOf = (program: string, root: string, path: string) =>
  `${program}: commands can write to ${root}, and so to ${path}: ` +
  `whoever starts it next may run what they leave there; ${cure}\n`

describe('in a directory that commands can write to', () => {
  testWorkspace('bashward run says so once, and runs', async () => {
    const { project, shim, run } = makeProject()

    expect(await run('run', '--workspace', '.', 'echo ran')).toMatchObject({
      code: 0,
      stdout: 'ran\n',
      stderr: noteOf('bashward run', project, shim),
    })
  })

  testWorkspace('it is reached by --writable, too', async () => {
    const { project, shim, run } = makeProject()
    const modules = dirname(dirname(shim))
    const { stderr } = await run('run', '--workspace', tempDir(), '--writable', 'node_modules', 'true')

    expect(stderr).toBe(noteOf('bashward run', modules, shim))
    expect(modules).toBe(join(project, 'node_modules'))
  })

  testWorkspace('with --strict it does not run', async () => {
    const { project, run } = makeProject()
    const { code, stdout, stderr } = await run('run', '--strict', '--workspace', '.', 'echo ran')

    expect({ code, stdout }).toEqual({ code: 125, stdout: '' })
    expect(stderr).toContain(`bashward run: --strict: commands can write to ${project}, and so to `)
    expect(stderr).toContain(cure)
  })

  testWorkspace('with --strict and --json the result says why', async () => {
    const { run } = makeProject()
    const { code, stdout } = await run('run', '--json', '--strict', '--workspace', '.', 'echo ran')

    expect(code).toBe(125)
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'invalid',
      error: { code: 'ERR_INVALID_INPUT', message: expect.stringContaining('--strict: commands can write') },
    })
  })

  testWorkspace('bashward mcp says so, and with --strict does not serve', async () => {
    const { project, shim, run } = makeProject()
    const server = startProgram(process.execPath, [shim, 'mcp', '--workspace'], { cwd: project })
    server.process.stdin?.end()

    // It may lack what only a server needs.
    expect((await server.exited()).stderr).toContain(noteOf('bashward mcp', project, shim))
    expect(await run('mcp', '--workspace', '--strict')).toMatchObject({
      code: 125,
      stdout: '',
      stderr: expect.stringContaining('bashward mcp: --strict: commands can write to '),
    })
  })

  testWorkspace('so it says when only the link that starts it is there', async () => {
    const project = realpathSync(tempDir())
    const link = join(project, 'bashward')
    symlinkSync(join(packageRoot, 'dist/cli/bin.js'), link)
    const { stderr } = await startProgram(process.execPath, [
      link,
      'run',
      '--workspace',
      project,
      'true',
    ]).exited()

    expect(stderr).toBe(noteOf('bashward run', project, link))
  })

  testWorkspace('a command of a later run is told that those of earlier ones could', async () => {
    const { project, shim, run } = makeProject()
    await run('run', '--workspace', '.', 'true')
    const later = await run('run', 'echo ran')

    expect(later).toMatchObject({ code: 0, stdout: 'ran\n' })
    expect(later.stderr).toContain(`commands of an earlier run could write to ${project}, and so to ${shim}`)
    expect((await run('run', '--strict', 'echo ran')).code).toBe(125)
  })
})

describe('nothing is said', () => {
  test.each([
    ['without a directory that commands can write to', ['--restricted']],
    ['of other directories', ['--workspace']],
    ['with --strict', ['--strict']],
  ])('%s', async (_, options) => {
    const words = options.flatMap((option) => (option === '--workspace' ? [option, tempDir()] : [option]))

    expect(await bashward(['run', ...words, 'echo ran'])).toMatchObject({
      code: 0,
      stdout: 'ran\n',
      stderr: '',
    })
  })

  testWorkspace('where the user can change nothing on the way to it', async () => {
    if (!isRoot) return onlyRootCanTest('only root has files that this user cannot change')
    const project = join(realpathSync(tempDir({ owner: ordinaryUid })), 'project')
    mkdirSync(project)
    const { shim } = makeProject(project)
    execFileSync('chmod', ['-R', 'go=rX', project])
    const home = tempDir({ owner: ordinaryUid })
    const [program = '', ...words] = [...ordinaryUserPrefix(), process.execPath, shim, 'run', '--strict']
    const env = { HOME: home, XDG_STATE_HOME: home }
    const exit = await startProgram(program, [...words, '--workspace', project, 'echo ran'], { env }).exited()

    expect(exit).toMatchObject({ code: 0, stdout: 'ran\n', stderr: '' })
    chmodSync(join(project, 'node_modules'), 0o777)
    const opened = await startProgram(program, [...words, '--workspace', project, 'echo ran'], {
      env,
    }).exited()
    expect(opened.code).toBe(125)
  })
})

describe('bashward doctor', () => {
  test('says so where it is in the working directory', async () => {
    const { project, shim, run } = makeProject()

    expect((await run('doctor')).stdout).toMatch(/^Program +\S+bashward/m)
    expect(JSON.parse((await run('doctor', '--json')).stdout).program).toEqual({
      path: shim,
      changeable: { by: project, path: shim, reason: 'workingDirectory' },
    })
  })

  testWorkspace('says so where commands of an earlier run could write', async () => {
    const { project, shim, run } = makeProject()
    await run('run', '--workspace', '.', 'true')
    const { stdout } = await startProgram(process.execPath, [shim, 'doctor', '--json']).exited()

    expect(JSON.parse(stdout).program.changeable).toEqual({
      by: project,
      path: shim,
      reason: 'earlierCommands',
    })
  })

  test('says nothing elsewhere', async () => {
    const { stdout } = await bashward(['doctor'], { cwd: tempDir() })

    expect(stdout).not.toMatch(/^Program/m)
  })
})
