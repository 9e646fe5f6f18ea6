// What commands get of a login shell's variables.
import { CommandEnvironment } from '../../../../lib/processes/environment/command-environment.js'
import type { EnvironmentOptions } from '../../../../lib/processes/environment/environment-options.js'
import {
  LoginEnvironment,
  loginEnvironmentOf,
} from '../../../../lib/processes/environment/login/login-environment.js'

const saved = { ...process.env }
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in saved)) delete process.env[name]
  Object.assign(process.env, saved)
})

const joined = (
  variables: Record<string, string>,
  options: EnvironmentOptions = {},
  changes: ConstructorParameters<typeof CommandEnvironment>[1] = {},
) => {
  const base = new CommandEnvironment({ ...options, login: true }, changes)
  const current = new LoginEnvironment(base, variables).current()
  const entries = current.encoded
    .toString()
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.split(/=(.*)/s).slice(0, 2))
  return { current, variables: Object.fromEntries(entries) as Record<string, string> }
}

test('what start-up files set is there, and what they unset is not', () => {
  process.env.BASHWARD_TEST_GONE = 'x'
  const { variables } = joined({ NVM_DIR: '/n', HOME: '/h' })

  expect(variables).toMatchObject({ NVM_DIR: '/n', HOME: '/h' })
  expect(variables).not.toHaveProperty('BASHWARD_TEST_GONE')
})

test('secrets are withheld, named, and known by their value', () => {
  const { current, variables } = joined({ MY_API_KEY: 'value-of-mine-1' })

  expect(variables).not.toHaveProperty('MY_API_KEY')
  expect(current.removed).toContain('MY_API_KEY')
  expect(current.withheld).toContainEqual(['MY_API_KEY', 'value-of-mine-1'])
})

test('what is withheld of the host, which the shell never had, is withheld still', () => {
  process.env.HOSTS_API_KEY = 'value-of-hosts-1'
  const { current } = joined({ A: '1' })

  expect(current.removed).toContain('HOSTS_API_KEY')
  expect(current.withheld).toContainEqual(['HOSTS_API_KEY', 'value-of-hosts-1'])
})

test('allow, deny and set hold for it as for the host', () => {
  const { variables } = joined(
    { MY_API_KEY: 'k', OTHER: 'x', CI: '0' },
    { allow: ['MY_*'], deny: ['OTH*'], set: { CI: '1' } },
  )

  expect(variables).toMatchObject({ MY_API_KEY: 'k', CI: '1' })
  expect(variables).not.toHaveProperty('OTHER')
})

test('inherit: none has its few names only', () => {
  const { variables } = joined({ HOME: '/h', NVM_DIR: '/n' }, { inherit: 'none' })

  expect(variables.HOME).toBe('/h')
  expect(variables).not.toHaveProperty('NVM_DIR')
})

test('nothing waits for a person', () => {
  const { variables } = joined({ EDITOR: 'vim', PAGER: 'less', TERM: 'xterm' })

  expect(variables).toMatchObject({ EDITOR: 'false', PAGER: 'cat', TERM: 'dumb' })
})

test.each(['filtered', 'all'] as const)(
  'with %s, what is the shell’s own does not come from it',
  (inherit) => {
    delete process.env.PS1
    process.env.SHLVL = '3'
    const { variables } = joined(
      {
        PWD: '/w',
        OLDPWD: '/o',
        SHLVL: '9',
        _: '/usr/bin/env',
        PS1: '> ',
        BASH_ENV: '/f',
        SHELLOPTS: 'xtrace',
        BASHOPTS: 'x',
        PROMPT_COMMAND: 'x',
        'BASH_FUNC_f%%': '() { :; }',
        DIRENV_DIFF: 'compressed',
      },
      { inherit },
    )

    expect(Object.keys(variables).filter((name) => /^(?:PS1|BASH_FUNC_f%%|DIRENV_DIFF)$/.test(name))).toEqual(
      [],
    )
    expect(Object.values(variables)).not.toEqual(expect.arrayContaining(['/w', '/o', '/f', 'xtrace']))
    expect(variables.SHLVL).toBe('3')
  },
)

test('directories of PATH that the shell has lost come last', () => {
  process.env.PATH = '/usr/bin:/opt/host/bin::/bin'
  const { variables } = joined({ PATH: '/nvm/bin:/usr/bin:/bin' })

  expect(variables.PATH).toBe('/nvm/bin:/usr/bin:/bin:/opt/host/bin')
})

test('a TMPDIR is left out where the command has its own', () => {
  const { variables } = joined({ TMPDIR: '/t' }, {}, { offline: true, ownTmpdir: true })

  expect(variables).not.toHaveProperty('TMPDIR')
})

test('policies are planned with the environment of the host', () => {
  process.env.HOME = '/home-of-host'
  const { current } = joined({ HOME: '/elsewhere' })

  expect([current.home, current.host?.home]).toEqual(['/elsewhere', '/home-of-host'])
})

test('the same variables have the same environment', () => {
  const base = new CommandEnvironment({ login: true })
  const variables = { A: '1' }

  expect(loginEnvironmentOf(base, variables)).toBe(loginEnvironmentOf(base, variables))
  expect([base.login, loginEnvironmentOf(base, variables).login]).toEqual([true, false])
})
