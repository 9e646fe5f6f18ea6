// The default list of unreadable paths in force: what is missing at the start, and what leads where it may not.
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../../lib/index.js'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'
import { waitFor } from '../../../support/wait-for.js'
import { testWorkspace } from '../../../support/workspace.js'

afterAll(removeTempDirs)

/** A home without secrets, with a project in it. */
const home = () => {
  const directory = realpathSync(tempDir())
  const project = join(directory, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'beside'), 'text')
  return { directory, project, env: { set: { HOME: directory } } }
}

describe('what appears in HOME while a command runs', () => {
  const readLate = async (unreadable: 'default' | []) => {
    const { directory, project, env } = home()
    const command = 'touch started; until test -e go; do sleep 0.02; done; cat ~/.npmrc; cat beside made'
    const started = run(command, {
      cwd: project,
      env,
      sandbox: 'workspace',
      workspace: { unreadable },
      timeout: 20_000,
    })
    await waitFor(() => existsSync(join(project, 'started')), { what: 'the command' })
    writeFileSync(join(directory, '.npmrc'), 'token')
    writeFileSync(join(project, 'made'), 'made')
    writeFileSync(join(project, 'go'), '')
    return (await started).output
  }

  testWorkspace('can be read without the list', async () => {
    expect(await readLate([])).toBe('tokentextmade')
  })

  testWorkspace('cannot be read if it is on the list', async () => {
    expect(await readLate('default')).toMatch(/Permission denied\ntextmade$/)
  })
})

testWorkspace(
  'a link into the workspace refuses the command, and is named with what it leads to',
  async () => {
    const { directory, project, env } = home()
    for (const name of ['.pypirc', '.npmrc']) writeFileSync(join(project, name), '')
    symlinkSync(join(project, '.npmrc'), join(directory, '.npmrc'))

    await expect(run('true', { cwd: project, env, sandbox: 'workspace' })).rejects.toMatchObject({
      code: 'ERR_INVALID_INPUT',
      message: expect.stringContaining(
        `the unreadable path ${directory}/.npmrc is in it (${directory}/.npmrc leads to ${project}/.npmrc; `,
      ),
    })
    const workspace = { unreadable: ['~/.ssh'] }
    const result = await run('true', { cwd: project, env, sandbox: 'workspace', workspace })
    expect(result.status).toBe('completed')
  },
)

testWorkspace('a variable that names the programs of the system takes none of them away', async () => {
  const { project } = home()

  const result = await run('cat beside', {
    cwd: project,
    env: { set: { KUBECONFIG: '/usr/bin:/bin' } },
    sandbox: 'workspace',
  })

  expect(result.output).toBe('text')
})

describe('a link that leads where nothing can be left out', () => {
  const targets = [
    ['the root directory', () => '/'],
    ['/proc', () => '/proc/1'],
    ['the workspace', (project: string) => project],
  ] as const

  for (const [name, target] of targets) {
    testWorkspace(
      `to ${name}: ends no command if the default list has it, and is refused if it is listed`,
      async () => {
        const { directory, project, env } = home()
        symlinkSync(target(project), join(directory, '.aws'))
        const options = { cwd: project, env, sandbox: 'workspace' } as const

        const result = await run('cat beside', options)
        const listed = run('cat beside', { ...options, workspace: { unreadable: ['default', '~/.aws'] } })

        expect(result.output).toBe('text')
        await expect(listed).rejects.toMatchObject({ code: 'ERR_INVALID_INPUT' })
      },
    )
  }
})
