// bashward/acp with the real SDK: an agent that asks its client for terminals.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { JobStore } from '../../../lib/index.js'
import { packageRoot } from '../../support/as-user.js'
import { killLeftovers, uniqueSleep, waitForSleep, waitUntilGone } from '../../support/processes.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { failure, sessionId, withTerminals } from './acp-client.js'

afterEach(() => {
  killLeftovers()
  removeTempDirs()
})

test('a command runs in the directory and with the variables that the agent names', async () => {
  await withTerminals({}, async ({ agentSide }) => {
    const cwd = realpathSync(tempDir())
    const terminal = await agentSide.createTerminal({
      sessionId,
      command: 'pwd; echo "$GREETING"; exit 3',
      env: [{ name: 'GREETING', value: 'hello' }],
      cwd,
    })

    expect(await terminal.waitForExit()).toEqual({ exitCode: 3, signal: null })
    expect(await terminal.currentOutput()).toEqual({
      output: `${cwd}\nhello\n`,
      truncated: false,
      exitStatus: { exitCode: 3, signal: null },
    })
  })
})

test('a command with arguments is a program that gets them word for word', async () => {
  await withTerminals({}, async ({ agentSide }) => {
    const terminal = await agentSide.createTerminal({
      sessionId,
      command: 'printf',
      args: ['<%s>', '$HOME; ls', "it's", ''],
    })
    await terminal.waitForExit()

    expect(await terminal.currentOutput()).toMatchObject({ output: "<$HOME; ls><it's><>" })
  })
})

test('while it runs, what it has printed can be read', async () => {
  await withTerminals({}, async ({ agentSide, workingDir }) => {
    const terminal = await agentSide.createTerminal({
      sessionId,
      command: 'echo begun; until [ -e go ]; do sleep 0.02; done; echo done',
    })
    let now = await terminal.currentOutput()
    for (const deadline = Date.now() + 20_000; now.output === '' && Date.now() < deadline; ) {
      now = await terminal.currentOutput()
    }

    expect(now).toEqual({ output: 'begun\n', truncated: false })

    writeFileSync(join(workingDir, 'go'), '')
    await terminal.waitForExit()

    expect(await terminal.currentOutput()).toMatchObject({ output: 'begun\ndone\n' })
  })
})

describe('the limit of output', () => {
  test('keeps the end, cut between two characters', async () => {
    await withTerminals({}, async ({ agentSide }) => {
      const terminal = await agentSide.createTerminal({
        sessionId,
        command: "printf 'äöü%.0s' {1..100}",
        outputByteLimit: 11,
      })
      await terminal.waitForExit()

      expect(await terminal.currentOutput()).toMatchObject({ output: 'öüäöü', truncated: true })
    })
  })

  test('begins with a whole line where there is one', async () => {
    await withTerminals({}, async ({ agentSide }) => {
      const terminal = await agentSide.createTerminal({
        sessionId,
        command: 'seq 1000000 1100000',
        outputByteLimit: 24,
      })
      await terminal.waitForExit()

      expect(await terminal.currentOutput()).toMatchObject({
        output: '1099998\n1099999\n1100000\n',
        truncated: true,
      })
    })
  })

  test('may be nothing at all', async () => {
    await withTerminals({}, async ({ agentSide }) => {
      const terminal = await agentSide.createTerminal({ sessionId, command: 'echo hi', outputByteLimit: 0 })
      await terminal.waitForExit()

      expect(await terminal.currentOutput()).toMatchObject({ output: '', truncated: true })
    })
  })

  test('is 1 MiB where the agent names none, whatever is printed', async () => {
    await withTerminals({}, async ({ agentSide }) => {
      const terminal = await agentSide.createTerminal({
        sessionId,
        command: 'head -c 10000000 /dev/zero | tr "\\0" x; echo end',
      })
      await terminal.waitForExit()
      const { output, truncated } = await terminal.currentOutput()

      expect(truncated).toBe(true)
      expect(output.length).toBe(1024 * 1024)
      expect(output.endsWith('xend\n')).toBe(true)
    })
  })
})

test('a killed terminal can still be read', async () => {
  await withTerminals({}, async ({ agentSide }) => {
    const sleep = uniqueSleep()
    const terminal = await agentSide.createTerminal({
      sessionId,
      command: `echo begun; (sleep ${sleep} &); sleep ${sleep}`,
    })
    await waitForSleep(sleep, 2)
    await terminal.kill()
    await waitUntilGone(sleep)

    const exitStatus = await terminal.waitForExit()

    expect(exitStatus).toEqual({ exitCode: null, signal: expect.stringMatching(/^SIG(TERM|KILL)$/) })
    expect(await terminal.currentOutput()).toEqual({ output: 'begun\n', truncated: false, exitStatus })
  })
})

test('a released terminal is killed with all it has started, and forgotten', async () => {
  await withTerminals({}, async ({ agentSide }) => {
    const sleep = uniqueSleep()
    const terminal = await agentSide.createTerminal({
      sessionId,
      command: `setsid sleep ${sleep} & sleep ${sleep}`,
    })
    await waitForSleep(sleep, 2)
    await terminal.release()
    await waitUntilGone(sleep)

    expect(await failure(terminal.currentOutput())).toMatchObject({ code: -32002 })
  })
})

test('a wait that is cancelled leaves the command alone', async () => {
  await withTerminals({}, async ({ terminals, workingDir }) => {
    const created = await terminals.create({
      params: { sessionId, command: 'until [ -e go ]; do sleep 0.02; done' },
    })
    const waiting = new AbortController()
    const params = { sessionId, ...created }
    const wait = terminals.waitForExit({ params, signal: waiting.signal })
    waiting.abort(new Error('enough'))
    await expect(wait).rejects.toThrow('enough')
    writeFileSync(join(workingDir, 'go'), '')

    expect(await terminals.waitForExit({ params })).toEqual({ exitCode: 0, signal: null })
  })
})

test('a terminal belongs to its session', async () => {
  await withTerminals({}, async ({ agentSide, terminals }) => {
    const { id: terminalId } = await agentSide.createTerminal({ sessionId, command: 'echo mine' })
    for (const method of ['output', 'waitForExit', 'kill', 'release'] as const) {
      const params = { sessionId: 'session 2', terminalId }

      expect(await failure(terminals[method]({ params }))).toMatchObject({
        code: -32002,
        message: `This session has no terminal "${terminalId}"`,
      })
    }
  })
})

test('closing a session kills its terminals, and no others', async () => {
  await withTerminals({}, async ({ agentSide, terminals }) => {
    const [mine, other] = [uniqueSleep(), uniqueSleep()]
    await agentSide.createTerminal({ sessionId, command: `sleep ${mine}` })
    const kept = await agentSide.createTerminal({ sessionId: 'session 2', command: `sleep ${other}` })
    await waitForSleep(mine)
    await waitForSleep(other)
    await terminals.close(sessionId)
    await waitUntilGone(mine)

    expect((await kept.currentOutput()).exitStatus).toBeUndefined()
  })
})

test('a terminal that is being created when all are closed does not stay behind', async () => {
  await withTerminals({}, async ({ terminals }) => {
    const sleep = uniqueSleep()
    const created = failure(terminals.create({ params: { sessionId, command: `sleep ${sleep}` } }))
    await terminals.close()

    expect((await created).message).toContain('cancelled')
    await waitUntilGone(sleep)
  })
})

testRestricted('a sandbox holds for each command, and the agent reads what it kept from it', async () => {
  await withTerminals({ sandbox: 'restricted' }, async ({ agentSide, workingDir }) => {
    const terminal = await agentSide.createTerminal({ sessionId, command: 'echo x > file' })

    expect(await terminal.waitForExit()).toMatchObject({ exitCode: 1 })
    expect((await terminal.currentOutput()).output).toContain('Restricted')
    expect(existsSync(join(workingDir, 'file'))).toBe(false)
  })
})

test('values that commands are not given are taken out of what the agent reads', async () => {
  process.env.ACP_TEST_TOKEN = 'a-very-secret-value-4711'
  try {
    await withTerminals({}, async ({ agentSide, workingDir }) => {
      writeFileSync(join(workingDir, 'file'), 'a-very-secret-value-4711\n')
      const terminal = await agentSide.createTerminal({ sessionId, command: 'cat file' })
      await terminal.waitForExit()

      expect((await terminal.currentOutput()).output).not.toContain('4711')
    })
  } finally {
    delete process.env.ACP_TEST_TOKEN
  }
})

const editor = `
  const { agent, client } = require('@agentclientprotocol/sdk')
  const { JobStore } = require('bashward')
  const { acpTerminals } = require('bashward/acp')
  const [directory, workingDir, command] = process.argv.slice(1)
  const terminals = acpTerminals({ workingDir, jobs: new JobStore({ directory }) })
  agent({ name: 'agent' }).connectWith(terminals.register(client({ name: 'editor' })), async (agentSide) => {
    const { id } = await agentSide.createTerminal({ sessionId: 'session 1', command })
    console.log(id)
    await new Promise(() => setInterval(() => {}, 1000))
  })`

test('when the client is killed, its commands go on as jobs that another program finds', async () => {
  const jobs = new JobStore({ directory: tempDir() })
  const workingDir = tempDir()
  const command = 'until [ -e go ]; do sleep 0.02; done; echo here; exit 4'
  const host = spawn(process.execPath, ['-e', editor, jobs.directory, workingDir, command], {
    cwd: packageRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [id] = (await once(createInterface(host.stdout), 'line')) as [string]
  host.kill('SIGKILL')
  await once(host, 'exit')
  writeFileSync(join(workingDir, 'go'), '')
  const ended = await jobs.wait(id, { timeoutMs: 20_000 })

  expect(ended).toMatchObject({ status: 'failed', exitCode: 4, record: { conversationId: sessionId } })
  expect((await jobs.read(id)).output).toBe('here\n')
})
