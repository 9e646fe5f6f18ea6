// The tool for commands that have a terminal: checked and confined as those of the bash tool.
import { createTerminalTool } from '../../../lib/tools/terminal-tool.js'
import { endJobs, tempStore } from '../../support/jobs.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs } from '../../support/temp-dir.js'

afterEach(async () => {
  await endJobs()
  removeTempDirs()
})

const size = { rows: 24, cols: 100 }
type Options = Parameters<typeof createTerminalTool>[0]

const toolWith = (options: Options = {}) => {
  const jobs = tempStore()
  return { jobs, tool: createTerminalTool({ jobs, ...options }, size) }
}

/** What a command has printed when it has ended. */
const printed = async (command: string, options: Options = {}, context: object = {}): Promise<string> => {
  const { jobs, tool } = toolWith(options)
  const { jobId = '' } = await tool.execute({ command }, { workingDir: '/', ...context })
  await jobs.wait(jobId, { timeoutMs: 30_000 })
  return (await jobs.read(jobId)).output
}

test('a command runs as a job with a terminal, of the conversation', async () => {
  const { jobs, tool } = toolWith()
  const result = await tool.execute({ command: 'sleep 300' }, { workingDir: '/usr', conversationId: 'talk' })
  const { record } = await jobs.get(result.jobId as string)

  expect(result.status).toBe('background')
  expect(record).toMatchObject({ terminal: size, workingDir: '/usr', conversationId: 'talk' })
})

test('it has the variables of a terminal, and those that are set', async () => {
  const env = { set: { NAME: 'value', PAGER: 'mine' } }

  expect(await printed('tty -s && echo $TERM ${GIT_EDITOR-unset} $NAME $PAGER', { env })).toBe(
    'xterm-256color unset value mine\r\n',
  )
})

testRestricted('what is known to only read runs confined, with the variables of a terminal', async () => {
  const options = { verdicts: {}, env: { set: {} } }

  expect(await printed('printenv TERM', options)).toBe('xterm-256color\r\n')
})

testRestricted('its sandbox holds on a terminal', async () => {
  expect(await printed('echo x >/tmp/bashward-test-$$', {}, { sandbox: 'restricted' })).toContain(
    'Permission denied',
  )
})
