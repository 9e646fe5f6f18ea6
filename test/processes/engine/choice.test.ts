// Which engine runs commands: in processes of their own, since each makes its choice once.
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../../support/as-user.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { emptyPackage, packageWith, prebuildsIn } from './native/installed.js'

afterEach(removeTempDirs)

const program = `
  const { run } = require('bashward')
  const modules = () => Object.keys(require.cache).filter((file) => file.includes('/dist/engine/portable/')).length
  const report = (outcome) => console.log(JSON.stringify({ ...outcome, portable: modules() > 0 }))
  const atRequire = modules()
  Promise.all([run('echo hello', { cwd: '/' }), run('echo hello', { cwd: '/' })])
    .then(([{ output, usage }]) => report({ output, usage: usage !== null, atRequire }),
          ({ code, message }) => report({ code, message }))`

/** What {@link program} reports, and what it writes to stderr. */
const choose = (root: string, engine: string): Record<string, unknown> => {
  const env = { ...process.env, BASHWARD_ENGINE: engine }
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
    cwd: root,
    encoding: 'utf8',
    env,
  })
  return { ...JSON.parse(stdout), warnings: stderr.match(/\[BASHWARD_\w+\].*/g) ?? [] }
}

test('the native engine runs where it works, and the portable one is not even loaded', () => {
  expect(choose(packageRoot, '')).toEqual({
    output: 'hello\n',
    usage: true,
    atRequire: 0,
    portable: false,
    warnings: [],
  })
})

test('the portable engine runs when it is asked for, without a warning', () => {
  expect(choose(packageRoot, 'portable')).toMatchObject({
    output: 'hello\n',
    usage: false,
    portable: true,
    warnings: [],
  })
})

test.each([{ loopback: true }, { unixSockets: true }, { network: { domains: ['registry.example'] } }])(
  'the portable engine has no sandbox, and so no command with %j',
  (policy) => {
    const text = `require('bashward').run('true', { cwd: '/', sandbox: ${JSON.stringify(policy)} }).then(
      () => console.log('it ran'), ({ code, message }) => console.log(code, message))`
    const env = { ...process.env, BASHWARD_ENGINE: 'portable' }
    const { stdout } = spawnSync(process.execPath, ['-e', text], { cwd: packageRoot, encoding: 'utf8', env })

    expect(stdout).toMatch(/^ERR_SANDBOX_UNAVAILABLE Workspace mode is not available .*portable engine/)
  },
)

describe('where the addon cannot be loaded', () => {
  test('the portable engine runs, and one warning says why', () => {
    const root = packageWith({ 'bashward.glibc.node': 'broken' })
    const { output, warnings } = choose(root, '')

    expect(output).toBe('hello\n')
    expect(warnings).toEqual([
      expect.stringContaining(`${prebuildsIn(root)}/bashward.glibc.node: file too short`),
    ])
    expect(warnings).toEqual([
      expect.stringMatching(/^\[BASHWARD_PORTABLE_ENGINE\] BashwardWarning: Commands run/),
    ])
  })

  test('nothing runs when the native engine is asked for', () => {
    expect(choose(emptyPackage(), 'native')).toMatchObject({
      code: 'ERR_UNSUPPORTED_PLATFORM',
      message: expect.stringContaining('nothing is built for it in'),
    })
  })
})

test('another engine is refused, with those that there are', () => {
  expect(choose(packageRoot, 'quick')).toMatchObject({
    code: 'ERR_INVALID_INPUT',
    message: 'BASHWARD_ENGINE: must be one of native, portable (got "quick")',
  })
})

test('a supervisor that does not run makes the portable engine take over', () => {
  // The kernel refuses to execute what is not a program; the addon itself loads.
  const root = packageWith({ 'bashward.glibc.node': 'working' })
  execFileSync('truncate', ['-s', '0', join(prebuildsIn(root), 'bashward-supervisor')])

  expect(choose(root, '')).toMatchObject({
    output: 'hello\n',
    portable: true,
    warnings: [expect.stringMatching(/the native engine does not work here: /)],
  })
})
