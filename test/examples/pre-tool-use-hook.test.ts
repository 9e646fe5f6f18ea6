// examples/pre-tool-use-hook.mjs, as Claude Code and Codex call it.
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { type Exit, killPrograms, startProgram } from '../surfaces/cli/program.js'
import { startExample, testExample } from './example.js'

afterEach(killPrograms)
afterAll(removeTempDirs)

const name = 'pre-tool-use-hook.mjs'

/** What Claude Code 2 writes to the hook's stdin, but for what is different. */
const payload = (different: object) => ({
  session_id: '6f1a0c4e-9a53-4c52-8f43-0d2b9f0a7c11',
  transcript_path: '/home/user/.claude/projects/-srv/6f1a0c4e.jsonl',
  cwd: '/srv',
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_use_id: 'toolu_01ABC123',
  ...different,
})

const use = (command: string) => ({
  tool_input: { command, description: 'Does something', timeout: 120_000, run_in_background: false },
})

const callHook = async (different: object, options?: Parameters<typeof startExample>[1]): Promise<Exit> => {
  const program = startExample(name, options)
  program.process.stdin?.end(JSON.stringify(payload(different)))
  return await program.exited()
}

const silentSuccess = { code: 0, stdout: '', stderr: '' }

test('nothing is said of a command that is allowed: the agent asks its person as ever', async () => {
  expect(await callHook(use('git add src/index.ts'))).toMatchObject(silentSuccess)
})

testExample('a command that is refused: status 2, and the reason on stderr', async (options) => {
  const { code, stdout, stderr } = await callHook(use('cd app && git add .'), options)

  expect([code, stdout]).toEqual([2, ''])
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^\[command rejected: git-add-blind\] \S.*\n$/)
})

test('a person who lets everything pass does not let that pass', async () => {
  const different = { ...use('git add -A'), permission_mode: 'bypassPermissions' }

  expect((await callHook(different)).code).toBe(2)
})

test.each([
  ['a tool without a command', { tool_name: 'Read', tool_input: { file_path: '/srv/git add .' } }],
  [
    'a patch, which Codex calls a command',
    { tool_name: 'apply_patch', tool_input: { command: '*** Begin Patch\n+git add .\ngit add .\n' } },
  ],
  ['a tool of an MCP server', { tool_name: 'mcp__shell__run', tool_input: { command: 'git add .' } }],
])('%s is none of its business', async (_, different) => {
  expect(await callHook(different)).toMatchObject(silentSuccess)
})

test('a payload without a directory is for the one it is started in', async () => {
  expect((await callHook({ ...use('git add .'), cwd: undefined })).code).toBe(2)
})

test.each([['nonsense'], [''], ['null']])(
  'what it does not understand (%p) is told, and stops nothing',
  async (input) => {
    const program = startExample(name)
    program.process.stdin?.end(input)
    const { code, stdout, stderr } = await program.exited()

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^the command was not checked: /)
  },
)

test('the settings in examples/README.md call it', async () => {
  const readme = readFileSync(join(packageRoot, 'examples/README.md'), 'utf8')
  const settings = JSON.parse(/```json\n([\s\S]*?)```/.exec(readme)?.[1] ?? '')
  const [{ matcher, hooks }] = settings.hooks.PreToolUse
  const directory = tempDir()
  copyFileSync(join(packageRoot, 'examples', name), join(directory, name))
  mkdirSync(join(directory, 'node_modules'))
  symlinkSync(packageRoot, join(directory, 'node_modules/bashward'))

  const command = hooks[0].command.replace('/opt/hooks', directory)
  const program = startProgram('sh', ['-c', command])
  program.process.stdin?.end(JSON.stringify(payload(use('git add .'))))
  expect(matcher).toBe('Bash')
  expect((await program.exited()).code).toBe(2)
})
