// The bash tool does not run a command that a safety rule refuses: REQ-BASH-007.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BashEvent,
  BashSession,
  type CommandLogEvent,
  commandLogChannel,
  createBashTool,
  type SafetyRule,
} from '../../lib/index.js'
import { endJobs, tempStore } from '../support/jobs.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { noTouch, refused } from './refused-command.js'

afterEach(endJobs)
afterAll(removeTempDirs)

const bashIn = (workingDir: string, options = {}, context = {}) => {
  const tool = createBashTool(options)
  return async (command: string, mode = 'default') =>
    await tool.execute({ command, mode }, { workingDir, ...context })
}

test('a session may remove a directory that it has left', async () => {
  const dir = tempDir()
  mkdirSync(join(dir, '.git'))
  mkdirSync(join(dir, 'build'))
  const session = new BashSession({ workingDir: dir })
  const run = bashIn(dir, {}, { session })
  await run('cd build')

  expect(await run('cd ..; rm -rf build')).toMatchObject({ status: 'rejected' })
  expect(await run('cd .. && rm -rf build && mkdir build && cd build && ls')).toMatchObject({
    status: 'completed',
    output: '',
  })
})

describe('a command that is refused', () => {
  test('has no start, and the result as its only event', async () => {
    const events: BashEvent[] = []
    const onEvent = (event: BashEvent) => events.push(event)
    const result = await bashIn(tempDir(), {}, { onEvent })(refused)
    const streamed: BashEvent[] = []
    for await (const event of createBashTool().stream({ command: refused }, { workingDir: tempDir() })) {
      streamed.push(event)
    }

    expect(events).toEqual([{ type: 'result', result }])
    expect(streamed.map(({ type }) => type)).toEqual(['result'])
  })

  test('is in the log as an error', async () => {
    const events: CommandLogEvent[] = []
    const listen = (event: unknown) => events.push(event as CommandLogEvent)
    subscribe(commandLogChannel, listen)
    await bashIn(tempDir())(refused)
    unsubscribe(commandLogChannel, listen)

    expect(events.at(-1)).toMatchObject({
      type: 'error',
      command: refused,
      status: 'rejected',
      error: { code: 'ERR_COMMAND_REJECTED' },
    })
  })
})

describe('what is not refused', () => {
  test('a command that only mentions one', async () => {
    const result = await bashIn(tempDir())(`echo '${refused}'`)

    expect(result).toMatchObject({ status: 'completed', output: `${refused}\n` })
    expect(result).not.toHaveProperty('rejection')
  })

  test('with safety: false, anything', async () => {
    const result = await bashIn(tempDir(), { safety: false })(`${refused}; echo "it ran"`)

    expect(result).toMatchObject({ status: 'completed', output: expect.stringMatching(/it ran\n$/) })
  })

  test('what a rule that is off would refuse', async () => {
    const safety = { rules: { off: ['git-add-blind'] } }

    expect(await bashIn(tempDir(), { safety })(`${refused}; true`)).toMatchObject({ status: 'completed' })
  })

  test('a command that bash itself refuses', async () => {
    expect(await bashIn(tempDir())('git add "')).toMatchObject({
      status: 'failed',
      exitCode: 2,
    })
  })
})

describe('the place', () => {
  test('a rule sees the HOME of the command, and where it runs', async () => {
    const dir = tempDir()
    const seen: unknown[] = []
    const look: SafetyRule = {
      ...noTouch,
      applies: ({ workingDir, home }) => {
        seen.push([workingDir, home])
        return null
      },
    }
    const run = bashIn(dir, { safety: { rules: { add: [look] } }, env: { set: { HOME: '/no-such-home' } } })
    await run('true')

    expect(seen).toEqual([[dir, '/no-such-home']])
  })

  test('rm of a home is refused by any name, that of another directory is not', async () => {
    const dir = tempDir()
    const run = bashIn(dir, { env: { set: { HOME: join(dir, 'home') } } })

    expect(await run('rm -rf home')).toMatchObject({
      status: 'rejected',
      rejection: { rule: 'rm-dangerous' },
    })
    expect(await run('rm -rf other')).toMatchObject({ status: 'completed' })
  })

  test('of a session is where the earlier calls went, and a refused call changes nothing', async () => {
    const dir = tempDir()
    const session = new BashSession({ workingDir: dir })
    const run = bashIn('/', { env: { set: { HOME: join(dir, 'home') } } }, { session })
    await run('mkdir sub; cd sub')

    expect(await run('rm -rf home')).toMatchObject({ status: 'completed' })
    expect(await run('rm -rf ../home; cd /')).toMatchObject({ status: 'rejected' })
    expect(session.workingDir).toBe(join(dir, 'sub'))
    expect(await run('pwd')).toMatchObject({ output: `${join(dir, 'sub')}\n` })
  })

  test('calls of a session that wait are checked where they will run', async () => {
    const dir = tempDir()
    const session = new BashSession({ workingDir: dir })
    const run = bashIn('/', { env: { set: { HOME: join(dir, 'home') } } }, { session })
    const results = await Promise.all([
      run('mkdir sub; cd sub'),
      run('rm -rf home'),
      run('cd ..'),
      run('rm -rf home'),
    ])

    expect(results.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'rejected'])
  })
})

describe('rules of the host', () => {
  const safety = { rules: { add: [noTouch] } }

  test('are applied', async () => {
    const dir = tempDir()

    expect(await bashIn(dir, { safety })('sudo touch made')).toMatchObject({
      status: 'rejected',
      rejection: { rule: 'no-touch' },
      error: { message: 'touch made makes a file; ask first' },
    })
    expect(existsSync(join(dir, 'made'))).toBe(false)
  })

  test('that fail are an error, and the command does not run', async () => {
    const dir = tempDir()
    const broken = { ...noTouch, applies: () => { throw new Error('broken') } } // biome-ignore format: one line
    const run = bashIn(dir, { safety: { rules: { add: [broken] } } })

    expect(await run('touch made')).toMatchObject({ status: 'error', error: { code: 'ERR_SAFETY_RULE' } })
    expect(existsSync(join(dir, 'made'))).toBe(false)
  })

  test('may refuse the command that kills a job', async () => {
    const noKill: SafetyRule = {
      ...noTouch,
      name: 'no-kill',
      applies: ({ program, words }) => (program === 'kill' ? words[0] : null),
    }
    const options = { jobs: tempStore(), safety: { rules: { add: [noKill] } } }
    const run = bashIn('/', options, { sandbox: 'restricted' })

    expect(await run('kill -9 -4194303')).toMatchObject({
      status: 'rejected',
      rejection: { rule: 'no-kill' },
    })
  })

  test('are those that the tool was made with', async () => {
    const add = [noTouch]
    const run = bashIn(tempDir(), { safety: { rules: { add } } })
    add.pop()

    expect(await run('touch made')).toMatchObject({ status: 'rejected' })
  })
})

describe('a long command', () => {
  const long = `: ${'x '.repeat(50_000)}; ${refused}`

  test('is checked to its end', async () => {
    expect(await bashIn(tempDir())(long)).toMatchObject({ status: 'rejected' })
  })

  test('can be cancelled while it is checked', async () => {
    const controller = new AbortController()
    const call = bashIn(tempDir(), {}, { cancel: controller.signal })(long)
    controller.abort()

    // A check that does not let go of the event loop has ended before.
    expect(['cancelled', 'rejected']).toContain((await call).status)
  })

  test('that is cancelled already is not checked', async () => {
    const run = bashIn(tempDir(), {}, { cancel: AbortSignal.abort() })

    expect(await run(refused)).toMatchObject({ status: 'cancelled' })
  })
})
