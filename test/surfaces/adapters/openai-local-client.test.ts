// What docs/comparison.md says of the OpenAI Agents SDK's own local client, and of openaiSandbox() beside it.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { SandboxSession } from '@openai/agents/sandbox'
import { UnixLocalSandboxClient } from '@openai/agents/sandbox/local'
import { cannotTest } from '../../support/must-work.js'
import { killLeftovers } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { testWorkspace } from '../../support/workspace.js'
import { closeSessions, sessionOf } from './openai-sandbox-agent.js'

const locals: SandboxSession[] = []

// The SDK leaves the timers of its calls running, and they would keep jest from ending.
beforeEach(() => {
  const start = globalThis.setTimeout
  const startUnref = (...args: Parameters<typeof start>) => start(...args).unref()
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(startUnref as typeof start)
})

afterEach(async () => {
  jest.restoreAllMocks()
  for (const session of locals.splice(0)) await session.close?.()
  await closeSessions()
  killLeftovers()
  removeTempDirs()
})

/** Undefined where it cannot be made: it needs Python 3. */
const local = async (): Promise<SandboxSession | undefined> => {
  if (spawnSync('python3', ['--version']).error !== undefined) return undefined
  const session = (await new UnixLocalSandboxClient({
    workspaceBaseDir: tempDir(),
  }).create()) as SandboxSession
  locals.push(session)
  return session
}

type Question = (session: SandboxSession) => Promise<boolean>

const output = async (session: SandboxSession, cmd: string): Promise<string> =>
  (await session.exec?.({ cmd, yieldTimeMs: 30_000 }))?.output ?? ''

const writesOutside: Question = async (session) => {
  const file = join(realpathSync(tempDir()), 'file')
  await output(session, `echo x >${file}`)
  return existsSync(file)
}

const reachesLocalhost: Question = async (session) => {
  const server = createServer((_, response) => response.end('pong'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const request = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf "GET / HTTP/1.0\\r\\n\\r\\n" >&3 && cat <&3`
  const text = await output(session, `bash -c '${request}'`)
  await new Promise((resolve) => server.close(resolve))
  return text.includes('pong')
}

const answersAtAPrompt: Question = async (session) => {
  const result = await session.exec?.({ cmd: 'read -p "Name: " name', tty: true, yieldTimeMs: 60_000 })
  return (result?.wallTimeSeconds ?? 60) < 30
}

const rendersProgress: Question = async (session) => {
  const cmd = `printf "10%%\\r20%%\\r30%%\\n\\033[31mred\\033[0m\\n"`
  const result = await session.exec?.({ cmd, tty: true, yieldTimeMs: 30_000 })
  return result?.output === '30%\nred\n'
}

const claims: [claim: string, ask: Question, itself: boolean, ours: boolean][] = [
  ['a command writes outside the workspace', writesOutside, true, false],
  ['a command reaches servers of this machine', reachesLocalhost, true, false],
  ['output of a terminal is rendered', rendersProgress, false, true],
]

describe.each(claims)('%s', (claim, ask, itself, ours) => {
  const word = (is: boolean) => (is ? 'yes' : 'no')

  test('with the local client', async () => {
    const session = await local()
    if (session === undefined) return cannotTest('there is no python3')
    expect(await ask(session)).toBe(itself)
  })

  testWorkspace('with openaiSandbox()', async () => {
    expect(await ask(await sessionOf())).toBe(ours)
  })

  test('is what the page says', () => {
    const page = readFileSync(join(__dirname, '../../../docs/comparison.md'), 'utf8')

    expect(page).toContain(`| ${claim} | ${word(itself)} | ${word(ours)} |`)
  })
})

testWorkspace('a call returns when a program asks, long before its time is up', async () => {
  expect(await answersAtAPrompt(await sessionOf())).toBe(true)
})

test('with the local client it returns when its time is up', async () => {
  const session = await local()
  if (session === undefined) return cannotTest('there is no python3')
  const result = await session.exec?.({ cmd: 'read -p "Name: " name', tty: true, yieldTimeMs: 1500 })

  expect(result?.wallTimeSeconds).toBeGreaterThanOrEqual(1.4)
  const { sessionId = 0 } = result ?? {}
  expect(await session.writeStdin?.({ sessionId, chars: '\n', yieldTimeMs: 30_000 })).toContain('exited')
})
