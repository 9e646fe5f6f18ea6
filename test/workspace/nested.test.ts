// Only one process can answer the calls of a task: where somebody does already, Workspace mode is refused with the reason.
import { join } from 'node:path'
import { BashError } from '../../lib/base/errors.js'
import { run } from '../../lib/index.js'
import { packageRoot } from '../support/as-user.js'
import { killHosts, runHost } from '../support/host.js'
import { shimPrefix } from '../support/landlock-shim.js'
import { cannotTest } from '../support/must-work.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { testWorkspace } from './workspace-hosts.js'

afterEach(killHosts)
afterAll(removeTempDirs)

const refusal = (reason: RegExp) => ({
  code: 'ERR_SANDBOX_UNAVAILABLE',
  message: expect.stringMatching(reason),
})

testWorkspace(
  'below a process that answers system calls it is refused, and other modes are not',
  async () => {
    const prefix = shimPrefix('6')
    if ('obstacle' in prefix) return cannotTest(prefix.obstacle)
    const options = { cwd: tempDir() }
    const { results } = await runHost<{ results: unknown[] }>('run-commands', {
      prefix,
      argument: {
        commands: [
          { command: 'echo no', options: { ...options, sandbox: 'workspace' } },
          { command: 'echo yes', options: { ...options, sandbox: 'restricted' } },
        ],
      },
    })

    expect(results).toMatchObject([
      { thrown: refusal(/seccomp listener/) },
      { status: 'completed', output: 'yes\n' },
    ])
  },
)

testWorkspace('within a command of the same mode it is refused', async () => {
  const workspace = tempDir()
  const program = `require(process.argv[1]).run('echo no', { cwd: '.', sandbox: 'workspace' }).then(
  (result) => console.log(JSON.stringify(result)),
  ({ code, message }) => console.log(JSON.stringify({ code, message })),
)`.replace("'.'", 'process.cwd()')
  const { output, exitCode } = await run(
    `'${process.execPath}' -e '${program.replaceAll("'", "'\\''")}' '${join(packageRoot, 'dist/index.js')}'`,
    { cwd: workspace, sandbox: 'workspace', timeout: 60_000 },
  )

  expect({ exitCode, ...JSON.parse(output) }).toMatchObject({
    exitCode: 0,
    ...refusal(/in a command of bashward that may write/),
  })
})

testWorkspace('a refusal is an error of the package', async () => {
  const error = await run('true', { cwd: '/proc', sandbox: 'workspace' }).catch((thrown: unknown) => thrown)

  expect(BashError.isInstance(error)).toBe(true)
})
