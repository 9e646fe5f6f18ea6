// Row 29: bash sources nothing of the host's before the command, whatever the host was started with.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BashResult } from '../../lib/commands/run/result.js'
import { killHosts, runHost } from '../support/host.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(killHosts)
afterEach(removeTempDirs)

const NOISE = 'noise of a start-up file'

const runWith = async (env: NodeJS.ProcessEnv): Promise<BashResult> => {
  const { results } = await runHost<{ results: [BashResult] }>('run-commands', {
    env,
    argument: { commands: [{ command: 'echo hi; type -t greet' }] },
  })
  return results[0]
}

describe('row 29: start-up files', () => {
  test('without SHLVL, a ~/.bashrc that prints is not sourced', async () => {
    const home = tempDir()
    for (const name of ['.bashrc', '.bash_profile', '.profile']) {
      writeFileSync(join(home, name), `echo '${NOISE}'\n`)
    }
    const { SHLVL: _, ...env } = process.env

    expect(await runWith({ ...env, HOME: home })).toMatchObject({ output: 'hi\n', exitCode: 1 })
  })

  // Without help bash takes the host's login for its own: `ssh machine 'node agent.js'`.
  test.each([undefined, '0'])(
    'in a host that ssh has started with SHLVL %s, neither is it',
    async (SHLVL) => {
      const home = tempDir()
      writeFileSync(join(home, '.bashrc'), `echo '${NOISE}'\n`)
      const { SHLVL: _, ...env } = process.env
      const SSH_CLIENT = '192.0.2.1 40000 22'
      const ssh = {
        HOME: home,
        SSH_CLIENT,
        SSH2_CLIENT: SSH_CLIENT,
        ...(SHLVL === undefined ? {} : { SHLVL }),
      }

      expect(await runWith({ ...env, ...ssh })).toMatchObject({ output: 'hi\n', exitCode: 1 })
    },
  )

  test('BASH_ENV and ENV are not sourced', async () => {
    const file = join(tempDir(), 'start-up')
    writeFileSync(file, `echo '${NOISE}'\n`)

    const result = await runWith({ ...process.env, BASH_ENV: file, ENV: file })
    expect(result).toMatchObject({ output: 'hi\n', exitCode: 1 })
  })

  test('functions that the host exports are not there', async () => {
    const result = await runWith({ ...process.env, 'BASH_FUNC_greet%%': '() { echo hello; }' })

    expect(result).toMatchObject({ output: 'hi\n', exitCode: 1 })
  })
})
