// Which environment a command gets: the options of `env`, seen from inside the command.
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../lib/index.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

const added = {
  TEST_API_KEY: 'secret-value-1',
  TEST_PASSWORD: 'secret-value-2',
  BASHWARD_TEST_PLAIN: 'plain value',
}

beforeAll(() => {
  Object.assign(process.env, added)
})
afterAll(() => {
  for (const name of Object.keys(added)) delete process.env[name]
})

/** The environment as a program started by the command has it. */
const environmentOf = async (env: Parameters<typeof run>[1]['env']) => {
  const result = await run('env -0', { cwd: '/', env })
  const entries = result.output.split('\u2400').filter((entry) => entry !== '')
  return {
    result,
    variables: Object.fromEntries(entries.map((entry) => entry.split(/=(.*)/s).slice(0, 2))) as Record<
      string,
      string
    >,
  }
}

describe('by default', () => {
  test('secrets are withheld, the rest is passed on', async () => {
    const { variables } = await environmentOf(undefined)

    expect(variables).toMatchObject({ BASHWARD_TEST_PLAIN: 'plain value', PATH: process.env.PATH })
    expect(variables).not.toHaveProperty('TEST_API_KEY')
    expect(variables).not.toHaveProperty('TEST_PASSWORD')
  })

  test('the result names what was withheld, without a value', async () => {
    const { result } = await environmentOf(undefined)

    expect(result.removedEnv).toEqual(expect.arrayContaining(['TEST_API_KEY', 'TEST_PASSWORD']))
    expect(result.removedEnv).not.toContain('BASHWARD_TEST_PLAIN')
    expect(JSON.stringify(result)).not.toMatch(/secret-value/)
  })

  test('the names are there for a command that did not run, too', async () => {
    const result = await run('true', { cwd: '/', cancelSignal: AbortSignal.abort() })

    expect(result.removedEnv).toContain('TEST_API_KEY')
  })

  test('nothing waits for a person', async () => {
    const { variables } = await environmentOf(undefined)

    expect(variables).toMatchObject({ TERM: 'dumb', PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', EDITOR: 'false' })
  })

  test('a change of process.env shows in the next command', async () => {
    process.env.BASHWARD_TEST_PLAIN = 'changed'
    const { variables } = await environmentOf(undefined)
    process.env.BASHWARD_TEST_PLAIN = added.BASHWARD_TEST_PLAIN

    expect(variables.BASHWARD_TEST_PLAIN).toBe('changed')
  })
})

describe('env options', () => {
  test('inherit: all passes on everything and adds nothing', async () => {
    const { result, variables } = await environmentOf({ inherit: 'all' })

    expect(variables).toMatchObject(added)
    expect(variables.PAGER).toBe(process.env.PAGER)
    expect(result.removedEnv).not.toContain('TEST_API_KEY')
  })

  test('inherit: none leaves the basic variables', async () => {
    const { variables } = await environmentOf({ inherit: 'none' })

    expect(variables.PATH).toBe(process.env.PATH)
    expect(variables).not.toHaveProperty('BASHWARD_TEST_PLAIN')
  })

  test('allow keeps a secret', async () => {
    const { result, variables } = await environmentOf({ allow: ['TEST_API_*'] })

    expect(variables.TEST_API_KEY).toBe(added.TEST_API_KEY)
    expect(result.removedEnv).not.toContain('TEST_API_KEY')
  })

  test('deny withholds what is no secret', async () => {
    const { result, variables } = await environmentOf({ deny: ['BASHWARD_*'] })

    expect(variables).not.toHaveProperty('BASHWARD_TEST_PLAIN')
    expect(result.removedEnv).toContain('BASHWARD_TEST_PLAIN')
  })

  test('set adds, replaces and removes', async () => {
    const { variables } = await environmentOf({
      set: { ADDED: 'é = "1"\nsecond line', BASHWARD_TEST_PLAIN: '', PAGER: undefined, TEST_API_KEY: 'mine' },
    })

    expect(variables).toMatchObject({
      ADDED: 'é = "1"\nsecond line',
      BASHWARD_TEST_PLAIN: '',
      TEST_API_KEY: 'mine',
    })
    expect(variables).not.toHaveProperty('PAGER')
  })

  test('PATH that is set serves the command, not the search for bash', async () => {
    const result = await run('echo "$PATH"; ls', { cwd: '/', env: { set: { PATH: '/nonexistent' } } })

    expect(result).toMatchObject({ status: 'failed', exitCode: 127 })
    expect(result.output).toMatch(/^\/nonexistent\n/)
  })

  test('the environment of the process is not changed', async () => {
    const before = { ...process.env }
    await environmentOf({ inherit: 'none', set: { ADDED: '1' }, deny: ['*'] })

    expect({ ...process.env }).toEqual(before)
  })
})

describe('the working directory', () => {
  const directories = 'echo "$PWD"; [ -v OLDPWD ] && echo "$OLDPWD" || echo none; pwd'
  const host = { PWD: process.env.PWD, OLDPWD: process.env.OLDPWD }
  beforeEach(() => {
    process.env.PWD = '/usr'
    process.env.OLDPWD = '/usr'
  })
  afterEach(() => {
    for (const [name, value] of Object.entries(host)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })

  test('is PWD, and that of the host before is nowhere', async () => {
    expect((await run(directories, { cwd: '/tmp' })).output).toBe('/tmp\nnone\n/tmp\n')
  })

  test('keeps the name by which it was given, where that is a symbolic link', async () => {
    const link = join(tempDir(), 'link')
    symlinkSync(tempDir(), link)

    expect((await run(directories, { cwd: link })).output).toBe(`${link}\nnone\n${link}\n`)
  })

  test('inherit: none has PWD as well', async () => {
    const { output } = await run(directories, { cwd: '/tmp', env: { inherit: 'none' } })

    expect(output).toBe('/tmp\nnone\n/tmp\n')
  })

  test('inherit: all leaves both to bash', async () => {
    const { output } = await run(directories, { cwd: '/tmp', env: { inherit: 'all' } })

    expect(output).toBe('/tmp\n/usr\n/tmp\n')
  })
})
