// The option env of the server: what start-up files set.
import { serverTools } from '../../../lib/surfaces/mcp/tools.js'
import { endJobs, tempStore } from '../../support/jobs.js'
import { makeHome, restoreHome } from '../../support/start-up-files.js'
import { removeTempDirs } from '../../support/temp-dir.js'

afterEach(async () => {
  await endJobs()
  restoreHome()
  removeTempDirs()
})

const call = async (workingDir: string, mode: string) => {
  const options = { workingDir, sandbox: 'unrestricted', safety: true, scratch: undefined } as const
  const { byName: tools } = serverTools({
    ...options,
    jobs: tempStore(),
    env: { login: true },
    backgroundAfterMs: 20_000,
  })
  return await tools
    .get('bash')
    ?.call(
      { command: 'echo "<$MARK>"', mode },
      { toolCallId: '1', cancel: new AbortController().signal, onOutput() {}, onJob() {} },
    )
}

test.each(['default', 'slow'])('a command of mode %s has it', async (mode) => {
  const { project } = makeHome('export MARK=set')

  expect(await call(project, mode)).toMatchObject({ isError: false, text: '<set>\n' })
})

test.each(['default', 'slow', 'background'])('a command of mode %s says that they failed', async (mode) => {
  const { project } = makeHome('exit 1')
  const result = await call(project, mode)

  expect(result?.structured.loginError).toBe('start-up files ended the login shell (exit code 1)')
  expect(result?.text).toContain('\n[without what start-up files set: ')
})
