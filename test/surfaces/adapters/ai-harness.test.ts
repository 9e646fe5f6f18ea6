// harnessSandbox(): the directories and processes of the AI SDK's harnesses. Agents themselves: `npm run test:recipes ai-harnesses`.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import {
  type HarnessSandboxOptions,
  type HarnessSandboxSession,
  harnessSandbox,
} from '../../../lib/surfaces/adapters/ai.js'
import { startHost } from '../../support/host.js'
import {
  killLeftovers,
  sleepsWith,
  uniqueSleep,
  waitForSleep,
  waitUntilGone,
} from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { testWorkspace } from '../../support/workspace.js'

const opened: HarnessSandboxSession[] = []

afterEach(async () => {
  for (const session of opened.splice(0)) await session.destroy()
  killLeftovers()
  removeTempDirs()
})

const unconfined: HarnessSandboxOptions = { sandbox: 'unrestricted' }

const sandboxIn = (baseDirectory = realpathSync(tempDir()), options: HarnessSandboxOptions = unconfined) => ({
  baseDirectory,
  sandbox: harnessSandbox({ baseDirectory, ...options }),
})

const remembered = (session: HarnessSandboxSession): HarnessSandboxSession => {
  opened.push(session)
  return session
}

const created = async (options: HarnessSandboxOptions = unconfined): Promise<HarnessSandboxSession> =>
  remembered(await sandboxIn(undefined, options).sandbox.createSession())

describe('a session', () => {
  testWorkspace('can change its directory, with HOME in it, and nothing else', async () => {
    const session = await created({})
    const { defaultWorkingDirectory: directory } = session
    const outside = join(realpathSync(tempDir()), 'file')
    const { stdout, stderr } = await session.run({
      command: `pwd; cd; pwd; touch ~/settings; echo x >${outside}`,
    })

    expect(stdout).toBe(`${directory}\n${directory}/.home\n`)
    expect(stderr).toMatch(/Permission denied\n\[perhaps blocked by the sandbox: writing is allowed below /)
    expect(existsSync(join(directory, '.home', 'settings'))).toBe(true)
    expect(existsSync(outside)).toBe(false)
    await expect(session.writeTextFile({ path: outside, content: '' })).rejects.toMatchObject({
      code: 'EROFS',
    })
  })

  testWorkspace('serves at a port that was free', async () => {
    const session = await created({})
    const [port] = session.ports as [number]
    const script = `require("http").createServer((_, r) => r.end("served")).listen(${port}, "0.0.0.0")`
    await session.spawn({ command: `exec ${process.execPath} -e '${script}'` })
    const { url } = await session.getPortEndpoint({ port })

    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect(await session.getPortUrl({ port, protocol: 'ws' })).toBe(`ws://127.0.0.1:${port}`)
    const text = () => fetch(url).then((response) => response.text())
    expect(await waitFor(() => text().catch(() => undefined), { what: 'the server' })).toBe('served')
    await expect(session.getPortUrl({ port: port === 1024 ? 1025 : 1024 })).rejects.toThrow('port: must be')
  })

  test('takes the HOME and the variables that a harness gives a process', async () => {
    const session = await created()
    const env = { HOME: '/usr', NAME: "it's" }

    expect((await session.run({ command: 'echo "$HOME $NAME"', env })).stdout).toBe("/usr it's\n")
  })

  test('ends what it runs when it stops, and goes with its directory when it is destroyed', async () => {
    const session = await created()
    const marker = uniqueSleep()
    const command = `setsid -f sleep ${marker}; sleep ${marker}`
    const { wait } = await session.restricted().spawn({ command })
    const running = session.run({ command })
    await waitForSleep(marker, 4)
    const stopped = expect(running).rejects.toThrow('was stopped')
    await session.stop()
    await stopped

    await waitUntilGone(marker)
    expect(await wait()).toEqual({ exitCode: 130 })
    expect((await session.run({ command: 'echo again' })).stdout).toBe('again\n')
    expect(existsSync(session.defaultWorkingDirectory)).toBe(true)
    await session.destroy()
    await session.destroy()
    expect(existsSync(session.defaultWorkingDirectory)).toBe(false)
  })

  test('ends what a command has left running with that command', async () => {
    const session = await created()
    const marker = uniqueSleep()
    await session.run({ command: `setsid -f sleep ${marker}` })
    const { wait } = await session.spawn({ command: `setsid -f sleep ${marker}` })
    await wait()

    await waitUntilGone(marker)
  })

  test('leaves that running on request', async () => {
    const session = await created({ ...unconfined, survivors: 'adopt' })
    const marker = uniqueSleep()
    await session.run({ command: `setsid -f sleep ${marker}` })

    expect(sleepsWith(marker)).toHaveLength(1)
  })

  test('says so when commands have put something in the place of its HOME', async () => {
    const { sandbox } = sandboxIn()
    const { run } = remembered(await sandbox.createSession({ sessionId: 'one' }))
    await run({ command: 'mv .home away; ln -s /nowhere/to/be .home' })

    await expect(sandbox.resumeSession({ sessionId: 'one' })).rejects.toMatchObject({
      code: 'ERR_WORKING_DIR',
      message: expect.stringMatching(/\/\.home cannot be made: /),
    })
  })

  test('shows tools nothing that ends it', async () => {
    const restricted = (await created()).restricted()

    expect(Object.keys(restricted)).not.toEqual(expect.arrayContaining(['stop']))
    expect(Object.keys(restricted)).not.toEqual(expect.arrayContaining(['getPortUrl']))
    expect((await restricted.run({ command: 'echo works' })).stdout).toBe('works\n')
  })

  test('in a directory that it was given keeps that', async () => {
    const workingDir = realpathSync(tempDir())
    const session = await harnessSandbox({ ...unconfined, workingDir }).createSession()
    await session.run({ command: 'touch file' })
    await session.destroy()

    expect(readdirSync(workingDir).sort()).toEqual(['.home', 'file'])
  })
})

describe('a name', () => {
  test('leads to the same directory again, which is prepared once', async () => {
    const { sandbox } = sandboxIn()
    let prepared = 0
    const onFirstCreate = async () => {
      prepared += 1
    }
    const first = remembered(await sandbox.createSession({ sessionId: 'one', onFirstCreate }))
    const second = await sandbox.createSession({ sessionId: 'one', onFirstCreate })
    const other = remembered(await sandbox.createSession({ sessionId: 'two', onFirstCreate }))

    expect(second.defaultWorkingDirectory).toBe(first.defaultWorkingDirectory)
    expect(other.defaultWorkingDirectory).not.toBe(first.defaultWorkingDirectory)
    expect(prepared).toBe(2)
    expect(first.id).toBe('one')
  })

  test.each(['../../etc', '/', 'a/b', '\0'])('such as %j leads nowhere else', async (sessionId) => {
    const { baseDirectory, sandbox } = sandboxIn()
    remembered(await sandbox.createSession({ sessionId }))

    expect(readdirSync(baseDirectory)).toEqual([expect.stringMatching(/^bashward-harness-[0-9a-f]{32}$/)])
  })

  test('of a session that is gone is told', async () => {
    const { sandbox } = sandboxIn()

    await expect(sandbox.resumeSession({ sessionId: 'gone' })).rejects.toMatchObject({
      code: 'ERR_WORKING_DIR',
      message: expect.stringContaining('the directory of session gone is gone'),
    })
  })

  test('whose directory others can write to is refused', async () => {
    const { baseDirectory, sandbox } = sandboxIn()
    const session = await sandbox.createSession({ sessionId: 'one' })
    await session.destroy()
    mkdirSync(session.defaultWorkingDirectory)
    chmodSync(session.defaultWorkingDirectory, 0o777)

    await expect(sandbox.createSession({ sessionId: 'one' })).rejects.toMatchObject({
      code: 'ERR_WORKING_DIR',
    })
    await expect(sandbox.resumeSession({ sessionId: 'one' })).rejects.toMatchObject({
      code: 'ERR_WORKING_DIR',
    })
    expect(readdirSync(baseDirectory)).toHaveLength(1)
  })

  test('of a session that could not be prepared leaves nothing', async () => {
    const { baseDirectory, sandbox } = sandboxIn()
    const onFirstCreate = async () => {
      throw new Error('no network')
    }

    await expect(sandbox.createSession({ onFirstCreate })).rejects.toThrow('no network')
    expect(readdirSync(baseDirectory)).toEqual([])
  })
})

describe('a host', () => {
  test('that is killed takes what it ran with it, and the next one goes on in the directory', async () => {
    const { baseDirectory, sandbox } = sandboxIn()
    const marker = uniqueSleep()
    const command = `echo ready; sleep ${marker} & wait; touch survived`
    const argument = { options: { ...unconfined, baseDirectory }, sessionId: 'one', command }
    const host = startHost('ai-harness', { argument })
    const directory = await host.report<string>('directory')
    await waitForSleep(marker)
    host.kill('SIGKILL')
    await host.exited()
    await waitUntilGone(marker)
    const session = remembered(await sandbox.resumeSession({ sessionId: 'one' }))

    expect(session.defaultWorkingDirectory).toBe(directory)
    expect(readFileSync(join(directory, 'file'), 'utf8')).toBe('before')
    expect(existsSync(join(directory, 'survived'))).toBe(false)
  })

  test('on the portable engine is told that nothing can be confined, and leaves nothing', async () => {
    const { baseDirectory } = sandboxIn()
    const argument = { options: { baseDirectory }, sessionId: 'one', command: 'true' }
    const host = startHost('ai-harness', { argument, env: { ...process.env, BASHWARD_ENGINE: 'portable' } })

    expect((await host.exited()).code).not.toBe(0)
    expect(host.stderr()).toContain('no command can run in this sandbox')
    expect(readdirSync(baseDirectory)).toEqual([])
  })

  test('on the portable engine works without a sandbox', async () => {
    const { baseDirectory } = sandboxIn()
    const argument = { options: { ...unconfined, baseDirectory }, sessionId: 'one', command: 'echo ready' }
    const host = startHost('ai-harness', { argument, env: { ...process.env, BASHWARD_ENGINE: 'portable' } })

    expect(await host.report('read')).toBe('ready\n')
    host.kill('SIGKILL')
    await host.exited()
  })
})

test.each([
  [{ workingDir: 'here' }, 'options.workingDir: must be an absolute path (got "here")'],
  [{ ports: 80 }, 'options.ports: must be an array of ports (got 80)'],
  [{ ports: [80] }, 'options.ports: must be an integer from 1024 to 65535 (got 80)'],
  [{ port: 4000 }, 'port'],
  [{ safety: 'no' }, 'safety'],
])('%j is refused by name', (options, message) => {
  const make = () => harnessSandbox(options as never)

  expect(make).toThrow(expect.objectContaining({ code: 'ERR_INVALID_INPUT' }))
  expect(make).toThrow(message)
})
