// openaiSandbox() with terminals: agents whose scripted models type into programs.
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { JobStore } from '../../../lib/index.js'
import { openaiSandbox } from '../../../lib/surfaces/adapters/openai.js'
import { startHost } from '../../support/host.js'
import { endJobs, storeAt } from '../../support/jobs.js'
import { cannotTest } from '../../support/must-work.js'
import { killLeftovers, uniqueSleep, waitForSleep, waitUntilGone } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { testWorkspace } from '../../support/workspace.js'
import {
  call,
  clientWith,
  closeSessions,
  execCommand,
  opened,
  placesOf,
  runAgent,
  type Session,
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

const yield_time_ms = 30_000
const inTerminal = (cmd: string, more = {}) => execCommand(cmd, { tty: true, yield_time_ms, ...more })
const type = (chars: string, more = {}) =>
  call('write_stdin', { session_id: 1, chars, yield_time_ms, ...more })

const lacks = (program: string): boolean => spawnSync(program, ['--version']).error !== undefined

describe('an agent', () => {
  testWorkspace('types into a program that asks, and reads on', async () => {
    const { outputs } = await runAgent({ client: clientWith() }, [
      inTerminal('tty; read -p "Name: " name; echo "Hello $name"; read -p "Sure? " x; exit 3'),
      type('Ada\n'),
      type('y\r\n'),
      type(''),
    ])

    expect(outputs[0]).toMatch(
      /\nProcess running with session ID 1\nOutput:\n\/dev\/pts\/\d+\nName: \n\[waits for a line: "bash"\]$/,
    )
    expect(outputs[1]).toMatch(/\nOutput:\nAda\nHello Ada\nSure\? \n\[waits for a line: "bash"\]$/)
    expect(outputs[2]).toMatch(/\nProcess exited with code 3\nOutput:\ny\n$/)
    expect(outputs[3]).toMatch(/code 1\nOutput:\nwrite_stdin failed: session not found: 1$/)
  })

  testWorkspace('interrupts a program, which goes on with what it does then', async () => {
    const { outputs } = await runAgent({ client: clientWith() }, [
      inTerminal('trap "echo caught" INT; cat; echo after'),
      type('\u0003'),
    ])

    expect(outputs[1]).toMatch(/\nProcess exited with code 0\nOutput:\n\^Ccaught\nafter\n$/)
  })

  testWorkspace('presses keys, and reads the screen of an editor', async () => {
    if (lacks('vim')) return cannotTest('there is no vim')
    const { outputs } = await runAgent({ client: clientWith() }, [
      inTerminal('vim -u NONE -n file'),
      type('ione\ntwo\u001b[D\u001b'),
      type(':wq\r'),
      execCommand('cat file'),
    ])

    expect(outputs[0]).toMatch(/\nOutput:\n(?:~?\n)+.*\n\[accepts keys: "vim"; screen 24x100, cursor 1,1\]$/s)
    expect(outputs[1]).toMatch(/\nOutput:\none\ntwo\n~\n/)
    expect(outputs[2]).toMatch(/\nProcess exited with code 0\n/)
    expect(outputs[3]).toMatch(/\nOutput:\none\ntwo\n$/)
  })

  testWorkspace('may not type a secret, and can end what asks for it', async () => {
    const { outputs } = await runAgent({ client: clientWith() }, [
      inTerminal('read -sp "Password: " x; echo "[$x]"'),
      type('hunter2\n'),
      type('\u0003'),
    ])

    expect(outputs[0]).toContain('Password: \n[asks for a secret: "bash"]')
    expect(outputs[1]).toContain('write_stdin failed: a secret is asked; it is not yours to type')
    expect(outputs[2]).toMatch(/\nProcess exited with code 130\n/)
  })

  testWorkspace('reads the beginning and the end of 10 MB of output', async () => {
    const { outputs } = await runAgent({ client: clientWith() }, [
      inTerminal('echo first; head -c 10000000 /dev/zero | tr "\\0" x; echo; echo last; read', {
        max_output_tokens: 1000,
      }),
    ])

    expect(outputs[0]).toMatch(/\nfirst\nx+[\s\S]*x\nlast\n\[waits for a line: "bash"\]$/)
    expect(outputs[0]?.length).toBeLessThan(4500)
  })

  testWorkspace('cannot write anywhere else from a terminal, and reads why', async () => {
    const file = join(realpathSync(tempDir()), 'file')
    const { outputs } = await runAgent({ client: clientWith() }, [
      inTerminal('read name; echo x >"$name"; exit 4'),
      type(`${file}\n`),
    ])

    expect(outputs[1]).toMatch(
      /exited with code 4\n[\s\S]*\[sandbox: writing is allowed below .* refused: .*\/file/,
    )
    expect(existsSync(file)).toBe(false)
  })

  testWorkspace('reads which rule has refused a command', async () => {
    const { outputs } = await runAgent({ client: clientWith() }, [inTerminal('rm -rf /')])

    expect(outputs[0]).toMatch(/\nOutput:\n\[command rejected: /)
  })

  testWorkspace('types no command into a shell that a rule refuses', async () => {
    const { outputs } = await runAgent({ client: clientWith() }, [
      inTerminal('bash --norc'),
      type('rm -rf /\n'),
      type('echo $((40 + 2))\n'),
    ])

    expect(outputs[1]).toMatch(/write_stdin failed: \[input rejected: [\w-]+\] /)
    expect(outputs[2]).toMatch(/\n42\n/)
  })

  testWorkspace('has a person asked about what it types where commands are asked about', async () => {
    const asked: string[] = []
    const approve = async (request: { kind: string; command?: string; text?: string }) => {
      asked.push(`${request.kind} ${request.text ?? request.command}`)
      return request.text === 'touch no' ? { deny: 'not now' } : ('once' as const)
    }
    const { outputs } = await runAgent({ client: clientWith({ verdicts: { approve: approve as never } }) }, [
      inTerminal('bash --norc'),
      type('touch yes\n'),
      type('touch no\n'),
      execCommand('ls'),
    ])

    expect(asked).toEqual(['command bash --norc', 'input touch yes', 'input touch no'])
    expect(outputs[2]).toMatch(/write_stdin failed: .*not now/)
    expect(outputs[3]).toMatch(/\nOutput:\nyes\n$/)
  })
})

describe('a session', () => {
  testWorkspace('kills what runs on terminals when it stops, and whoever waits is told', async () => {
    const session = await sessionOf()
    const seconds = uniqueSleep()
    const waiting = session.exec({ cmd: `sleep ${seconds}`, tty: true, yieldTimeMs: 60_000 })
    await waitForSleep(seconds)
    await session.stop()

    // It may have been told that it runs, or not yet.
    expect([130, 143]).toContain((await waiting).exitCode)
    await waitUntilGone(seconds)
  })

  testWorkspace('gives a program the time that is asked for while that does not wait for input', async () => {
    const session = await sessionOf()
    const { sessionId, output } = await session.exec({
      cmd: 'echo one; until [ -e go ]; do sleep 0.02; done; echo two',
      tty: true,
      yieldTimeMs: 300,
    })
    await session.exec({ cmd: 'touch go' })
    const text = await session.writeStdin({ sessionId: sessionId as number, yieldTimeMs: 30_000 })

    expect(output).toBe('one\n')
    expect(text).toMatch(/exited with code 0\nOutput:\ntwo\n$/)
  })

  testWorkspace('refuses what a line cannot hold, in words that the model reads', async () => {
    const session = await sessionOf()
    const { sessionId = 0 } = await session.exec({ cmd: 'cat', tty: true, yieldTimeMs: 30_000 })

    expect(await session.writeStdin({ sessionId, chars: 'x'.repeat(5000) })).toContain(
      'write_stdin failed: a line over 4095 bytes would be cut off',
    )
  })

  testWorkspace('has secrets taken out of a screen', async () => {
    process.env.BASHWARD_TEST_TOKEN = 'zq8Fk2Lw9xTn4Rv7Bd3'
    try {
      const session = await sessionOf()
      // What the command prints it has from elsewhere.
      const { output } = await session.exec({
        cmd: 'printf "\\033[2J\\033[H%s%s" zq8Fk2Lw9x Tn4Rv7Bd3; read',
        tty: true,
        yieldTimeMs: 30_000,
      })

      expect(output).toContain('screen 24x100')
      expect(output).not.toContain('zq8Fk2Lw9xTn4Rv7Bd3')
    } finally {
      delete process.env.BASHWARD_TEST_TOKEN
    }
  })
})

describe('a host that is killed', () => {
  const resumedAfter = async (cmd: string): Promise<Session> => {
    const [jobs, baseDirectory, baseDir] = [tempDir(), tempDir(), tempDir()]
    const places = { baseDirectory, snapshot: { type: 'local' as const, baseDir } }
    const host = startHost('openai-sandbox', { argument: { jobs, ...places, cmd, tty: true } })
    const record = await host.report<Record<string, unknown>>('state')
    host.kill('SIGKILL')
    await host.exited()
    const client = openaiSandbox({ ...places, jobs: storeAt(jobs) })
    return opened(await client.resume(await client.deserializeSessionState(record)))
  }

  testWorkspace('is followed by one that types on', async () => {
    const session = await resumedAfter('read -p "one: " a; read -p "two: " b; echo "$a and $b"; exit 7')
    const first = await session.writeStdin({ sessionId: 1, chars: '1\n', yieldTimeMs: 30_000 })
    const second = await session.writeStdin({ sessionId: 1, chars: '2\n', yieldTimeMs: 30_000 })

    expect(first).toMatch(/\nOutput:\n1\ntwo: \n\[waits for a line: "bash"\]$/)
    expect(second).toMatch(/exited with code 7\nOutput:\n2\n1 and 2\n$/)
  })

  testWorkspace('leaves a screen that the next one draws', async () => {
    if (lacks('vim')) return cannotTest('there is no vim')
    const session = await resumedAfter('vim -u NONE -n file')
    const text = await session.writeStdin({ sessionId: 1, chars: 'ihello', yieldTimeMs: 30_000 })

    expect(text).toMatch(/\nOutput:\nhello\n~\n[\s\S]*\[accepts keys: "vim"; screen 24x100, cursor 1,6\]$/)
  })
})

testWorkspace('a program whose supervisor was killed is told as lost', async () => {
  const places = placesOf()
  const session = opened(await openaiSandbox(places).create())
  await session.exec({ cmd: 'cat', tty: true, yieldTimeMs: 30_000 })
  const [job] = await (places.jobs as JobStore).list()
  process.kill(job?.record?.supervisor.pid as number, 'SIGKILL')
  const poll = () => session.writeStdin({ sessionId: 1, chars: 'x\n', yieldTimeMs: 1000 }).catch(String)
  const text = await waitFor(async () => /exited[\s\S]*/.exec(await poll())?.[0], { what: 'its loss' })

  expect(text).toContain('[how it ended is not known]')
})

test('the portable engine refuses a terminal by name', async () => {
  const argument = {
    jobs: tempDir(),
    baseDirectory: tempDir(),
    sandbox: 'unrestricted',
    cmd: 'tty',
    tty: true,
    once: true,
  }
  const host = startHost('openai-sandbox', { argument, env: { ...process.env, BASHWARD_ENGINE: 'portable' } })

  expect(await host.report('result')).toContain(
    'exec_command failed: tty: must be false: the portable engine has no terminals',
  )
  await host.exited()
})
