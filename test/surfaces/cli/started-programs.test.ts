// What the built program executes, where a command has put programs of every name in front of PATH.
import { join } from 'node:path'
import { packageRoot } from '../../support/as-user.js'
import { type Executed, executedPaths, whyNotTraced } from '../../support/executed.js'
import { onHostileHost } from '../../support/hostile-host.js'
import { cannotTest } from '../../support/must-work.js'
import { whyNotRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { binPath } from './program.js'

afterEach(removeTempDirs)

const nothing = { marks: [], others: [] }

/** `test`, where strace(1) works and there is a sandbox. */
const testTraced = (name: string, body: () => void): void =>
  test(name, async () => {
    const reason = whyNotTraced() ?? (await whyNotRestricted())
    if (reason !== undefined) return cannotTest(reason)
    body()
  })

const messages = (...texts: object[]): string => texts.map((text) => `${JSON.stringify(text)}\n`).join('')
const clientInfo = { name: 'test', version: '1' }
const toServer = messages(
  { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
  { id: 2, method: 'tools/call', params: { name: 'bash', arguments: { command: 'echo done' } } },
).replaceAll('{"id"', '{"jsonrpc":"2.0","id"')

const read = 'read -r word; echo "$word"'

const calls: [words: string[], input: string, expected: Partial<Executed>][] = [
  [['run', read], 'done\n', { stdout: 'done\n' }],
  [['run', '--restricted', read], 'done\n', { stdout: 'done\n' }],
  [['run', '--workspace', '.', read], 'done\n', { stdout: 'done\n' }],
  [['run', '--profile', 'exec', read], 'done\n', { stdout: 'done\n' }],
  [['run', '--profile', 'suite', read], 'done\n', { stdout: 'done\n' }],
  [['run', '--restricted', '--login-env', 'echo done'], '', { stdout: 'done\n' }],
  [['run', '--timeout', '1', 'coproc read; wait'], '', { status: 124 }],
  [['run', '--mode', 'background', ':'], '', { status: 0 }],
  [['run', '-'], 'echo done', { stdout: 'done\n' }],
  [['check', 'git status'], '', { status: 0 }],
  [['jobs'], '', { status: 0 }],
  [['jobs', 'explain', 'bash_aaaaaa'], '', { status: 1 }],
  [['doctor'], '', { status: 0 }],
  [['mcp'], toServer, { status: 0 }],
  [['mcp', '--workspace', '--session', '--verdicts'], toServer, { status: 0 }],
  [['--help'], '', { status: 0 }],
]

describe('nothing but the supervisor, bash and Node is executed by', () => {
  for (const [words, input, expected] of calls) {
    testTraced(`bashward ${words.join(' ')}`, () => {
      expect(onHostileHost([binPath, ...words], { input })).toMatchObject({ ...expected, ...nothing })
    })
  }
})

testTraced('nor by the functions of the package', () => {
  const workspace = tempDir()
  const { stdout, ...rest } = onHostileHost([
    join(packageRoot, 'test/fixtures/every-api.cjs'),
    packageRoot,
    workspace,
  ])

  expect(JSON.parse(stdout)).toEqual({
    run: 'run',
    input: 'input',
    restricted: 'restricted',
    workspace: 'workspace',
    domains: 'domains',
    login: 'login',
    timedOut: 'timed_out',
    limits: 'limits',
    tool: 'tool',
    exec: 'exec',
    suite: 'suite',
    job: 'explained',
    session: 'session',
    probe: 'true',
    judge: 'allow',
  })
  expect(rest).toMatchObject(nothing)
})

test('a trace tells what bash executes from what its host does', () => {
  const trace = `1 execve("/node", ["node"], 0x1 /* 3 vars */) = 0
1 clone(child_stack=NULL, flags=CLONE_VM <unfinished ...>
2 execve("/bin/bash", ["bash"], 0x1 /* 0 vars */ <unfinished ...>
1 <... clone resumed>) = 2
2 <... execve resumed>) = 0
2 vfork() = 3
3 execve("/bin/ls", ["ls"], 0x1 /* 0 vars */) = 0
2 execve("/bin/cat", ["cat"], 0x1 /* 0 vars */) = 0
1 vfork() = 4
4 execve("/tmp/git", ["git"], 0x1 /* 0 vars */) = -1 ENOENT (No such file or directory)
1 vfork() = 5
5 execveat(7, "", ["bashward-supervisor"], 0x1 /* 0 vars */, AT_EMPTY_PATH) = 0`

  expect(executedPaths(trace, ['/bin/bash'])).toEqual([
    '/node',
    '/bin/bash',
    '/tmp/git',
    'bashward-supervisor',
  ])
})
