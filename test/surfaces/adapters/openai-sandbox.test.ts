// openaiSandbox() with the real SDK: agents whose scripted models work in a confined workspace.
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { JobStore } from '../../../lib/index.js'
import { openaiSandbox } from '../../../lib/surfaces/adapters/openai.js'
import { endJobs } from '../../support/jobs.js'
import { killLeftovers, uniqueSleep, waitForSleep, waitUntilGone } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { testWorkspace } from '../../support/workspace.js'
import {
  applyPatch,
  call,
  clientWith,
  closeSessions,
  execCommand,
  placesOf,
  runAgent,
  sessionOf,
} from './openai-sandbox-agent.js'

// The SDK prints what it has told the model.
beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(async () => {
  jest.restoreAllMocks()
  await closeSessions()
  await endJobs()
  killLeftovers()
  removeTempDirs()
})

const interrupt = '\u0003'

describe('an agent', () => {
  testWorkspace('works in a workspace that is made for it, and goes with it', async () => {
    const places = placesOf()
    const client = openaiSandbox(places)
    const { outputs, tools } = await runAgent({ client }, [
      execCommand('pwd; echo hello >greeting; exit 3'),
      execCommand('cat greeting'),
    ])

    expect(tools).toEqual(['exec_command', 'write_stdin', 'view_image', 'apply_patch'])
    expect(outputs[0]).toMatch(
      /^Chunk ID: \w{6}\nWall time: [\d.]+ seconds\nProcess exited with code 3\nOutput:\n/,
    )
    expect(outputs[0]).toMatch(/\n\/workspace\n$/)
    expect(outputs[1]).toMatch(/\nOutput:\nhello\n$/)
    expect(readdirSync(places.baseDirectory as string)).toEqual([])
  })

  testWorkspace('cannot write anywhere else, and reads why', async () => {
    const outside = tempDir()
    const file = join(realpathSync(outside), 'file')
    const { outputs } = await runAgent({ client: clientWith() }, [
      execCommand(`echo x >${file}`),
      applyPatch({ type: 'create_file', path: file, diff: '+x\n' }),
    ])

    expect(outputs[0]).toMatch(/\[sandbox: writing is allowed below .* refused: .*\/file/)
    expect(outputs[1]).toBe(`Sandbox path "${file}" escapes the workspace root.`)
    expect(existsSync(file)).toBe(false)
  })

  testWorkspace('patches files: makes, changes, moves and deletes them', async () => {
    const workingDir = realpathSync(tempDir())
    writeFileSync(join(workingDir, 'old'), '')
    const { outputs } = await runAgent({ client: clientWith({ workingDir }) }, [
      applyPatch({ type: 'create_file', path: 'a', diff: '+one\n+two\n' }),
      applyPatch({ type: 'update_file', path: 'a', diff: '@@\n-one\n+1\n two\n', moveTo: 'sub/b' }),
      applyPatch({ type: 'delete_file', path: 'old' }),
      applyPatch({ type: 'delete_file', path: 'gone' }),
      applyPatch({ type: 'create_file', path: 'sub/b', diff: '+other\n' }),
    ])

    expect(readdirSync(workingDir)).toEqual(['sub'])
    expect(readFileSync(join(workingDir, 'sub', 'b'), 'utf8')).toMatch(/^1\ntwo/)
    expect(outputs[3]).toContain('no such file: gone')
    expect(outputs[4]).toMatch(/^EEXIST/)
  })

  testWorkspace('reads on what a command prints that goes on, and ends it', async () => {
    const { outputs } = await runAgent({ client: clientWith() }, [
      execCommand('echo one; until [ -e go ]; do sleep 0.02; done; echo two; sleep 300', {
        yield_time_ms: 100,
      }),
      execCommand('touch go'),
      call('write_stdin', { session_id: 1, yield_time_ms: 500 }),
      call('write_stdin', { session_id: 1, yield_time_ms: 500 }),
      call('write_stdin', { session_id: 1, chars: interrupt }),
      call('write_stdin', { session_id: 1 }),
    ])

    expect(outputs[0]).toMatch(/\nProcess running with session ID 1\nOutput:\none\n$/)
    expect(outputs.slice(2, 4).join('\n').match(/^two$/gm)).toHaveLength(1)
    expect(outputs[4]).toMatch(/\nProcess exited with code 1(?:37|43)\n/)
    expect(outputs[5]).toMatch(/code 1\nOutput:\nwrite_stdin failed: session not found: 1$/)
  })

  testWorkspace('is told by name that a command without a terminal gets no input', async () => {
    const { outputs } = await runAgent({ client: clientWith() }, [
      execCommand('sleep 300', { yield_time_ms: 1 }),
      call('write_stdin', { session_id: 1, chars: 'yes\n' }),
    ])

    expect(outputs[1]).toContain('write_stdin failed: chars: must be empty')
  })

  testWorkspace('reads the beginning and the end of 10 MB of output', async () => {
    const { outputs } = await runAgent({ client: clientWith() }, [
      execCommand('echo first; head -c 10000000 /dev/zero | tr "\\0" x; echo; echo last', {
        max_output_tokens: 1000,
      }),
    ])

    expect(outputs[0]).toContain('\nOriginal token count: 2500003\n')
    expect(outputs[0]).toMatch(/\nfirst\nx+[\s\S]*x\nlast\n$/)
    expect(outputs[0]?.length).toBeLessThan(4500)
  })

  testWorkspace('whose run is aborted leaves no process', async () => {
    const seconds = uniqueSleep()
    const controller = new AbortController()
    const running = runAgent({ client: clientWith() }, [execCommand(`sleep ${seconds} & sleep ${seconds}`)], {
      signal: controller.signal,
    })
    await waitForSleep(seconds)
    controller.abort()

    await expect(running).rejects.toThrow()
    await waitUntilGone(seconds)
  })
})

describe('a session', () => {
  testWorkspace('kills all commands when it stops, also those that went on', async () => {
    const session = await sessionOf()
    const [long, short] = [uniqueSleep(), uniqueSleep()]
    const { sessionId } = await session.exec({ cmd: `setsid -f sleep ${long}; sleep 300`, yieldTimeMs: 1 })
    const waiting = session.exec({ cmd: `sleep ${short}` })
    await waitForSleep(short)
    await session.stop()

    expect(sessionId).toBe(1)
    expect((await waiting).exitCode).toBe(130)
    await waitUntilGone(long)
    expect((await session.exec({ cmd: 'echo again' })).output).toBe('again\n')
  })

  testWorkspace('ends its commands when its signal is aborted', async () => {
    const controller = new AbortController()
    const session = await sessionOf({ cancel: controller.signal })
    const seconds = uniqueSleep()
    await session.exec({ cmd: `sleep ${seconds}`, yieldTimeMs: 1 })
    controller.abort()

    await waitUntilGone(seconds)
  })

  testWorkspace('does nothing any more when it is closed', async () => {
    const session = await sessionOf()
    await session.close()

    expect(await session.running()).toBe(false)
    expect(existsSync(session.state.workspaceRootPath)).toBe(false)
    await expect(session.exec({ cmd: 'true' })).rejects.toThrow('The sandbox session is closed')
  })

  testWorkspace('leaves a directory that it was given', async () => {
    const workingDir = realpathSync(tempDir())
    const session = await sessionOf({ workingDir })
    await session.exec({ cmd: 'touch file' })
    await session.close()

    expect(readdirSync(workingDir)).toEqual(['file'])
  })

  testWorkspace('gives commands the environment of its manifest, and no secrets of the host', async () => {
    process.env.BASHWARD_TEST_TOKEN = 'secret of the host'
    try {
      const environment = { GREETING: { value: 'hello' } }
      const session = await sessionOf({}, { environment } as never)
      const { output } = await session.exec({ cmd: 'echo "$GREETING" "[$BASHWARD_TEST_TOKEN]"' })

      expect(output).toBe('hello []\n')
    } finally {
      delete process.env.BASHWARD_TEST_TOKEN
    }
  })

  testWorkspace('runs a command in the directory and the shell that it names', async () => {
    const session = await sessionOf()
    await session.exec({ cmd: 'mkdir sub' })

    expect((await session.exec({ cmd: 'pwd', workdir: 'sub' })).output).toMatch(/\/sub\n$/)
    expect((await session.exec({ cmd: 'echo "$0 $1"', shell: '/bin/sh' })).output).toMatch(/^\/bin\/sh/)
    await expect(session.exec({ cmd: 'pwd', workdir: '../..' })).rejects.toThrow(/escape/)
    await expect(session.exec({ cmd: 'pwd', workdir: 'gone' })).rejects.toMatchObject({
      name: 'SandboxProviderError',
      details: { code: 'ERR_WORKING_DIR' },
    })
  })

  testWorkspace('gives the port on which a command serves', async () => {
    const session = await sessionOf({ exposedPorts: [await freePort()] })
    const [port] = session.state.configuredExposedPorts as [number]
    const script = `require("http").createServer((_, r) => r.end("served")).listen(${port}, "127.0.0.1")`
    await session.exec({ cmd: `exec ${process.execPath} -e '${script}'`, yieldTimeMs: 1 })
    const { host } = await session.resolveExposedPort(port)

    const text = () => fetch(`http://${host}:${port}`).then((response) => response.text())
    expect(await waitFor(() => text().catch(() => undefined), { what: 'the server' })).toBe('served')
    await expect(session.resolveExposedPort(port === 1024 ? 1025 : 1024)).rejects.toThrow('exposedPorts')
  })

  testWorkspace('asks no other user', async () => {
    const session = await sessionOf()

    await expect(session.exec({ cmd: 'id', runAs: 'nobody' })).rejects.toThrow('runAs: must be left out')
    await expect(session.readFile({ path: 'x', runAs: 'nobody' })).rejects.toThrow('runAs')
  })

  testWorkspace('reaches no command of another session', async () => {
    const jobs = placesOf().jobs as JobStore
    const [one, other] = [await sessionOf({ jobs }), await sessionOf({ jobs })]
    const { sessionId = 0 } = await one.exec({ cmd: 'echo private; sleep 300', yieldTimeMs: 1 })
    other.state.commands = structuredClone(one.state.commands)

    expect(await other.writeStdin({ sessionId })).toContain('session not found')
    expect(await one.writeStdin({ sessionId })).toContain('running')
  })
})

describe('options', () => {
  test.each([
    [{ workingDir: 'here' }, 'options.workingDir: must be an absolute path (got "here")'],
    [{ timeout: 0 }, 'options.timeout: must be an integer from 1 to 86400000 milliseconds (got 0)'],
    [{ exposedPorts: 80 }, 'options.exposedPorts: must be an array of ports (got 80)'],
    [{ exposedPorts: [0] }, 'options.exposedPorts: must be an integer from 1 to 65535 (got 0)'],
    [{ safety: 'no' }, 'safety'],
    [{ workspaces: true }, 'workspaces'],
    [{ backgroundAfter: 5 }, 'backgroundAfter'],
  ])('%j is refused by name', (options, message) => {
    const make = () => openaiSandbox(options as never)

    expect(make).toThrow(expect.objectContaining({ code: 'ERR_INVALID_INPUT' }))
    expect(make).toThrow(message)
  })

  testWorkspace('a policy that no command can have is told when a session is made', async () => {
    const places = placesOf()
    const client = openaiSandbox({ ...places, sandbox: { writable: ['/nonexistent'] } })

    await expect(client.create()).rejects.toThrow('/nonexistent')
    expect(readdirSync(places.baseDirectory as string)).toEqual([])
  })

  testWorkspace('in Restricted mode nothing can be written', async () => {
    const workingDir = realpathSync(tempDir())
    const session = await sessionOf({ workingDir, sandbox: 'restricted' })
    const editor = session.createEditor()

    expect((await session.exec({ cmd: 'touch file' })).exitCode).not.toBe(0)
    await expect(
      editor.createFile({ type: 'create_file', path: 'file', diff: '+x\n' }),
    ).rejects.toMatchObject({ code: 'EROFS' })
    expect(readdirSync(workingDir)).toEqual([])
  })
})

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
