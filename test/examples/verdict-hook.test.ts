// examples/verdict-hook.mjs, as Claude Code calls it.
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { killPrograms, startProgram } from '../surfaces/cli/program.js'
import { startExample, testExample } from './example.js'

afterEach(killPrograms)
afterAll(removeTempDirs)

const name = 'verdict-hook.mjs'

/** What Claude Code 2 writes to the hook's stdin, but for what is different. */
const payload = (command: unknown, different: object = {}, input: object = {}) =>
  JSON.stringify({
    session_id: '6f1a0c4e-9a53-4c52-8f43-0d2b9f0a7c11',
    transcript_path: '/home/user/.claude/projects/-srv/6f1a0c4e.jsonl',
    cwd: '/srv',
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: {
      command,
      description: 'Does something',
      timeout: 120_000,
      run_in_background: false,
      ...input,
    },
    tool_use_id: 'toolu_01ABC123',
    ...different,
  })

type Options = Parameters<typeof startExample>[1]

/** What it answers; undefined: nothing. */
const answerTo = async (stdin: string, options?: Options) => {
  const program = startExample(name, options)
  program.process.stdin?.end(stdin)
  const { code, stdout, stderr } = await program.exited()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  if (stdout === '') return undefined
  const { hookSpecificOutput, ...others } = JSON.parse(stdout)
  expect(others).toEqual({})
  expect(hookSpecificOutput.hookEventName).toBe('PreToolUse')
  return hookSpecificOutput as { permissionDecision: string; permissionDecisionReason: string }
}

const decisionOn = async (stdin: string, ...args: string[]) =>
  (await answerTo(stdin, { args }))?.permissionDecision

const policyFile = (rules: object[]): string => {
  const file = join(tempDir(), 'rules.json')
  writeFileSync(file, JSON.stringify({ rules }))
  return file
}

testExample('a command that is not known to only read asks, with the reason', async (options) => {
  expect(await answerTo(payload('ls && npm test'), options)).toMatchObject({
    permissionDecision: 'ask',
    permissionDecisionReason: '`npm test`: reaches a network',
  })
})

test('a command that a safety rule refuses is denied, with what to type instead', async () => {
  expect(await answerTo(payload('git push --force'))).toMatchObject({
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining('--force-with-lease'),
  })
})

test('nothing is said of a command that is allowed: Claude Code asks as ever', async () => {
  expect(await decisionOn(payload('rg TODO src | sort | uniq -c'))).toBeUndefined()
})

test('with --allow it runs without a question', async () => {
  expect(await answerTo(payload('rg TODO src | sort | uniq -c'), { args: ['--allow'] })).toMatchObject({
    permissionDecision: 'allow',
    permissionDecisionReason: 'every command is known to only read',
  })
})

test.each([
  ['a command that writes', 'sort x -o x'],
  ['a command that reads, and another', 'ls; npm test'],
  ['what bash alone knows', '"$cmd" x'],
])('with --allow, %s asks all the same', async (_, command) => {
  expect(await decisionOn(payload(command), '--allow')).toBe('ask')
})

test('a command that is to leave the sandbox of Claude Code is not allowed', async () => {
  const stdin = payload('ls', {}, { dangerouslyDisableSandbox: true })

  expect(await decisionOn(stdin, '--allow')).toBeUndefined()
})

test('git asks: its configuration may name programs', async () => {
  expect(await answerTo(payload('git status'), { args: ['--allow'] })).toMatchObject({
    permissionDecision: 'ask',
    permissionDecisionReason: expect.stringContaining('repository'),
  })
})

test('with --trust-repository it does not', async () => {
  expect(await decisionOn(payload('git status'), '--allow', '--trust-repository')).toBe('allow')
  expect(await decisionOn(payload('git status'), '--trust-repository')).toBeUndefined()
})

test('rules of several files count, the strictest of them first', async () => {
  const allows = policyFile([{ prefix: ['npm', 'test'], decision: 'allow' }])
  const denies = policyFile([{ prefix: ['npm', 'publish'], decision: 'deny', why: 'CI does that' }])
  const args = ['--allow', '--policy', allows, '--policy', denies]

  expect(await decisionOn(payload('npm test'), ...args)).toBe('allow')
  expect(await answerTo(payload('npm test && npm publish'), { args })).toMatchObject({
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringMatching(/^`npm publish`: is denied: CI does that/),
  })
})

test('rules that cannot be read may be those that deny: every command asks', async () => {
  const args = ['--allow', '--policy', join(tempDir(), 'missing.json')]

  expect(await answerTo(payload('ls'), { args })).toMatchObject({
    permissionDecision: 'ask',
    permissionDecisionReason: expect.stringMatching(/^the command was not judged: .*missing\.json/),
  })
})

test('the file of a rule that is wrong is named', async () => {
  const file = policyFile([{ prefix: ['npm'], decision: 'perhaps' }])

  expect((await answerTo(payload('ls'), { args: ['--policy', file] }))?.permissionDecisionReason).toContain(
    file,
  )
})

test.each([
  ['nonsense', 'nonsense'],
  ['nothing', ''],
  ['null', 'null'],
  ['a command that is no text', payload(['ls'])],
  ['a call without an input', payload('ls', { tool_input: undefined })],
])('%s asks', async (_, stdin) => {
  expect(await decisionOn(stdin, '--allow')).toBe('ask')
})

test('an option that it does not know asks', async () => {
  expect(await decisionOn(payload('ls'), '--alow')).toBe('ask')
})

test.each([
  ['a tool without a command', { tool_name: 'Read', tool_input: { file_path: '/srv/x' } }],
  ['a tool of an MCP server', { tool_name: 'mcp__shell__run' }],
])('%s is none of its business', async (_, different) => {
  expect(await decisionOn(payload('npm test', different), '--allow')).toBeUndefined()
})

test('the settings in examples/README.md call it', async () => {
  const readme = readFileSync(join(packageRoot, 'examples/README.md'), 'utf8')
  const block = [...readme.matchAll(/```json\n([\s\S]*?)```/g)].find(([, code]) => code?.includes(name))
  const [{ matcher, hooks }] = JSON.parse(block?.[1] ?? '').hooks.PreToolUse
  const directory = tempDir()
  copyFileSync(join(packageRoot, 'examples', name), join(directory, name))
  mkdirSync(join(directory, 'node_modules'))
  symlinkSync(packageRoot, join(directory, 'node_modules/bashward'))

  const command = hooks[0].command.replace('/opt/hooks', directory)
  const program = startProgram('sh', ['-c', command])
  program.process.stdin?.end(payload('ls'))

  expect(matcher).toBe('Bash')
  expect((await program.exited()).stdout).toContain('"permissionDecision":"allow"')
})
