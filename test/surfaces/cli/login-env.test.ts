// bashward run --login-env, on both engines.
import { makeHome, restoreHome } from '../../support/start-up-files.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { bashward, killPrograms } from './program.js'

afterEach(async () => {
  await killPrograms()
  restoreHome()
  removeTempDirs()
})

const command = 'echo "<$MARK>"'

describe.each(['native', 'portable'])('on the %s engine', (engine) => {
  test.each(['bash', 'exec', 'suite'])(
    'a command of profile %s has what start-up files set',
    async (profile) => {
      const { home, project } = makeHome('export MARK=set')
      const env = { HOME: home, BASHWARD_ENGINE: engine }
      const { stdout, code } = await bashward(['run', '--profile', profile, '--login-env', command], {
        cwd: project,
        env,
      })

      expect([stdout, code]).toEqual(['<set>\n', 0])
    },
  )

  test.each(['bash', 'exec', 'suite'])('profile %s says on stderr that they failed', async (profile) => {
    const { home, project } = makeHome('exit 1')
    const env = { HOME: home, BASHWARD_ENGINE: engine }
    const { stdout, stderr, code } = await bashward(['run', '--profile', profile, '--login-env', command], {
      cwd: project,
      env,
    })

    expect([stdout, code]).toEqual(['<>\n', 0])
    expect(stderr).toContain(
      '[without what start-up files set: start-up files ended the login shell (exit code 1)]\n',
    )
  })

  test('without the option they are not read', async () => {
    const { home, project } = makeHome('export MARK=set')
    const { stdout } = await bashward(['run', command], {
      cwd: project,
      env: { HOME: home, BASHWARD_ENGINE: engine },
    })

    expect(stdout).toBe('<>\n')
  })
})

test('on the portable engine a login shell that goes on and on is ended', async () => {
  const { home, project } = makeHome('while :; do sleep 0.05; done')
  const { stdout, stderr } = await bashward(['run', '--login-env', command], {
    cwd: project,
    env: { HOME: home, BASHWARD_ENGINE: 'portable' },
  })

  expect(stdout).toBe('<>\n')
  expect(stderr).toContain('the login shell did not end within 5 seconds')
})
