// `env: { login: true }` of the tools: their sessions, jobs, texts and log.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  BashSession,
  type CommandLogEvent,
  commandLogChannel,
  createBashSuite,
  createBashTool,
  createExecTool,
} from '../../lib/index.js'
import { endJobs, tempStore } from '../support/jobs.js'
import { counting, makeHome, restoreHome } from '../support/start-up-files.js'
import { removeTempDirs } from '../support/temp-dir.js'

afterEach(async () => {
  await endJobs()
  restoreHome()
  removeTempDirs()
})

const env = { login: true }
const command = 'echo "<$MARK>"'
const note = '[without what start-up files set: start-up files ended the login shell (exit code 1)]'

test('a command of the bash tool has what start-up files set', async () => {
  const { project } = makeHome('export MARK=set')
  const tool = createBashTool({ env, jobs: tempStore() })
  const result = await tool.execute({ command }, { workingDir: project })

  expect(tool.toText(result)).toBe('<set>\n')
})

test('a command of the exec tool has it, and all of the host', async () => {
  process.env.HOSTS_API_KEY = 'value-of-hosts-1'
  const { project } = makeHome('export MARK=set')
  const tool = createExecTool({ env })
  const result = await tool.execute(
    { command: 'echo "$MARK $HOSTS_API_KEY ${EDITOR-none}"' },
    { workingDir: project },
  )
  delete process.env.HOSTS_API_KEY

  expect(result.stdout).toBe(`set value-of-hosts-1 ${process.env.EDITOR ?? 'none'}\n`)
})

test('a background job has it, and BashOutput none of its secrets', async () => {
  const { project } = makeHome('export MARK=set MY_API_KEY=q7Jx2vPz9LmT4bWk')
  const { bash, bashOutput } = createBashSuite({ env, jobs: tempStore(), session: false })
  const context = { workingDir: project }
  const { jobId } = await bash.execute(
    { command: `${command}; cat ~/.bash_profile`, run_in_background: true },
    context,
  )
  const { output } = await bashOutput.execute({ bash_id: jobId, wait_ms: 20_000 }, context)

  expect(output).toBe('<set>\nexport MARK=set MY_API_KEY=[removed: MY_API_KEY]')
})

describe('a session', () => {
  test('has what they set at its beginning, to its end', async () => {
    const { project, write, count } = makeHome(`${counting}export MARK=one OTHER=$PWD`)
    const tool = createBashTool({ env, jobs: tempStore() })
    const context = { workingDir: project, session: new BashSession({ workingDir: project }) }
    const call = async (text: string) => (await tool.execute({ command: text }, context)).output
    await call('cd /')
    write('.bash_profile', `${counting}export MARK=two`)

    expect(await call('echo "$MARK $OTHER"')).toBe(`one ${project}\n`)
    expect(count()).toBe(1)
  })

  test('keeps what its calls have changed', async () => {
    const { project } = makeHome('export MARK=one OTHER=x')
    const tool = createBashTool({ env, jobs: tempStore() })
    const context = { workingDir: project, session: new BashSession({ workingDir: project }) }
    await tool.execute({ command: 'MARK=two; unset OTHER' }, context)

    const { output } = await tool.execute({ command: 'bash -c \'echo "$MARK ${OTHER-none}"\'' }, context)
    expect(output).toBe('two none\n')
  })

  test('asks again when the login shell has failed and a file has changed', async () => {
    const { project, write } = makeHome('exit 1')
    const tool = createBashTool({ env, jobs: tempStore() })
    const context = { workingDir: project, session: new BashSession({ workingDir: project }) }
    await tool.execute({ command }, context)
    write('.bash_profile', 'export MARK=set')

    expect((await tool.execute({ command }, context)).output).toBe('<set>\n')
  })
})

describe('a failure is told', () => {
  test('to the model, by the bash tool and the suite, in the foreground and the background', async () => {
    const { project } = makeHome('exit 1')
    const context = { workingDir: project }
    const tool = createBashTool({ env, jobs: tempStore() })
    const { bash } = createBashSuite({ env, jobs: tempStore(), session: false })
    const texts = [
      tool.toText(await tool.execute({ command }, context)),
      tool.toText(await tool.execute({ command, mode: 'background' }, context)),
      bash.toText(await bash.execute({ command }, context)),
      bash.toText(await bash.execute({ command, run_in_background: true }, context)),
    ]

    expect(texts.filter((text) => !text.endsWith(note))).toEqual([])
    expect(texts[0]).toBe(`<>\n${note}`)
  })

  test('by the exec tool', async () => {
    const { project } = makeHome('exit 1')
    const tool = createExecTool({ env })
    const result = await tool.execute({ command }, { workingDir: project })

    expect(result).toMatchObject({ exitCode: 0, loginError: expect.stringContaining('exit code 1') })
    expect(JSON.parse(tool.toText(result))).toEqual(result)
  })

  test('to the log', async () => {
    const { project } = makeHome('exit 1')
    const events: CommandLogEvent[] = []
    const listener = (message: unknown) => events.push(message as CommandLogEvent)
    subscribe(commandLogChannel, listener)
    await createBashTool({ env }).execute({ command }, { workingDir: project })
    unsubscribe(commandLogChannel, listener)

    expect(events.at(-1)).toMatchObject({
      type: 'end',
      loginError: 'start-up files ended the login shell (exit code 1)',
    })
  })
})

test('a command that is refused says nothing of it', async () => {
  const { project } = makeHome('exit 1')
  const tool = createBashTool({ env })
  const result = await tool.execute({ command: 'git add -A' }, { workingDir: project })

  expect(result.status).toBe('rejected')
  expect(result).not.toHaveProperty('loginError')
})
