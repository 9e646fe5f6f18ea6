// `bashward mcp` as a program: its command line, its streams, its end.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyPackage } from '../../support/as-user.js'
import { cannotTest } from '../../support/must-work.js'
import { killLeftovers, sleepsWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { bashward, hasScript, killPrograms, startBashward, startOnTerminal, startProgram } from './program.js'

afterEach(async () => {
  await killPrograms()
  killLeftovers()
  removeTempDirs()
})

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

const call = (id: number, command: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'bash', arguments: { command } },
})

const startServer = (...args: string[]) => {
  const program = startBashward(['mcp', ...args])
  const send = (...messages: unknown[]) => {
    for (const message of messages) {
      program.process.stdin?.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
    }
  }
  return { ...program, send, endInput: () => program.process.stdin?.end() }
}

describe('the command line', () => {
  test.each([
    [['--cwd', '/nope'], '--cwd must be the path of a directory (got "/nope")'],
    [['--cwd', ''], '--cwd must be the path of a directory (got "")'],
    [
      ['--background-after', '0'],
      '--background-after must be a number of seconds from 0.1 to 86400 (got "0")',
    ],
    [['--scratch'], '--scratch goes with --restricted: without it commands can write anyway'],
    [['--writable', '/srv'], '--writable goes with --workspace'],
    [['--lenient'], '--lenient goes with --policy, --claude-settings or --codex-rules'],
    [['--verdicts=yes'], '--verdicts takes no value (got "yes")'],
    [['word'], "unexpected word 'word'"],
  ])('%j is refused', async (args, message) => {
    expect(await bashward(['mcp', ...args])).toMatchObject({
      code: 125,
      stdout: '',
      stderr: `bashward mcp: ${message}\nTry 'bashward mcp --help'.\n`,
    })
  })

  test.each(['--policy', '--claude-settings', '--codex-rules'])(
    'a file of %s that cannot be used is named',
    async (option) => {
      const { code, stdout, stderr } = await bashward(['mcp', option, '/nope'])

      expect([code, stdout]).toEqual([125, ''])
      expect(stderr).toMatch(/^bashward: \/nope: cannot be read: ENOENT/)
    },
  )

  test('rules that are left out are told', async () => {
    const file = join(tempDir(), 'settings.json')
    writeFileSync(file, JSON.stringify({ permissions: { deny: ['Bash(git * main)'] } }))
    expect(await bashward(['mcp', '--claude-settings', file])).toMatchObject({ code: 125 })
    const { endInput, exited } = startServer('--claude-settings', file, '--lenient')
    endInput()

    expect(await exited()).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^bashward mcp: .*settings\.json: Bash\(git \* main\) .*: left out\n$/),
    })
  })

  test('without the optional package it says what to install', async () => {
    const root = tempDir()
    copyPackage(root)
    const { code, stderr } = await startProgram(process.execPath, [
      join(root, 'dist/cli/bin.js'),
      'mcp',
    ]).exited()

    expect(code).toBe(125)
    expect(stderr).toContain('npm install @modelcontextprotocol/server')
  })
})

test('stdout is the protocol alone, and what is wrong is told on stderr', async () => {
  const { send, endInput, stdout, exited } = startServer()
  send({ jsonrpc: '1.0' }, initialize, call(2, 'echo to the client; echo error >&2'))
  await waitFor(() => stdout().includes('"id":2'), { what: 'the answer' })
  endInput()
  const end = await exited()

  expect(end.code).toBe(0)
  const ids = end.stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: number }).id)
  expect(ids).toEqual([1, 2])
  expect(end.stderr).toMatch(/^bashward mcp: [^\n]*jsonrpc[^\n]*\n$/)
})

test('--tty has a tool that types', async () => {
  const { send, endInput, stdout, exited } = startServer('--tty')
  send(initialize, { jsonrpc: '2.0', id: 2, method: 'tools/list' })
  await waitFor(() => stdout().includes('"id":2'), { what: 'the answer' })
  endInput()
  const end = await exited()

  expect(end.stdout).toContain('"name":"bash_input"')
})

test('on a terminal it says what it waits for, and Ctrl-D ends it', async () => {
  if (!hasScript()) return cannotTest('script(1) of util-linux is missing')
  const program = startOnTerminal('mcp')
  await waitFor(() => program.stdout().includes('bashward mcp: it waits for the messages of an MCP client'), {
    what: 'what it waits for',
  })
  program.process.stdin?.write('\x04')

  expect(await program.exited()).toMatchObject({ code: 0 })
})

test('a client that never says anything and goes away ends it', async () => {
  const { endInput, exited } = startServer()
  endInput()

  expect(await exited()).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
})

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('%s ends it, and the commands of its calls', async (signal, code) => {
  const marker = uniqueSleep()
  const { send, kill, exited } = startServer()
  send(initialize, call(2, `setsid -f sleep ${marker}; sleep ${marker}`))
  await waitForSleep(marker, 2)
  kill(signal)

  expect(await exited()).toMatchObject({ code, stderr: '' })
  expect(sleepsWith(marker)).toEqual([])
})

test('killed at once, its commands end with it', async () => {
  const marker = uniqueSleep()
  const { send, kill, exited } = startServer()
  send(initialize, call(2, `setsid -f sleep ${marker}; sleep ${marker}`))
  await waitForSleep(marker, 2)
  kill('SIGKILL')
  await exited()

  await waitFor(() => sleepsWith(marker).length === 0, { what: 'the command to end' })
})

test('--help fits a terminal and names every option', async () => {
  const { code, stdout } = await bashward(['mcp', '--help'])

  expect(code).toBe(0)
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  for (const part of [
    '--cwd',
    '--restricted',
    '--scratch',
    '--workspace',
    '--writable',
    '--unreadable',
    '--allow-domain',
    '--shared-memory',
    '--no-safety',
    '--tty',
    '--background-after',
    '--structured',
    '--max-output',
    '--print-config',
    '--verdicts',
    '--policy',
    '--claude-settings',
    '--codex-rules',
    '--lenient',
    '125',
    '128+n',
  ]) {
    expect(stdout).toContain(part)
  }
})
