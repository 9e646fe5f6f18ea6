// `bashward check` with rules: allow, ask or deny.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { bashward } from './in-process.js'
import { killPrograms } from './program.js'

afterEach(async () => {
  await killPrograms()
  removeTempDirs()
})

const fileOf = (content: unknown, name = 'rules.json'): string => {
  const file = join(tempDir(), name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}
const rules = {
  rules: [
    { prefix: ['npm', 'test'], decision: 'allow', match: ['npm test'] },
    { prefix: ['npm', 'publish'], decision: 'deny', why: 'CI does that' },
  ],
}
const check = (...args: string[]) => bashward(['check', '--policy', fileOf(rules), ...args])

test.each([
  ['ls | wc -l', 0, ''],
  ['npm test', 0, ''],
  ['npm install', 2, '[ask] `npm install`: reaches a network\n'],
  ['sudo npm publish', 1, '[deny] `npm publish`: is denied: CI does that\n'],
])('%s: exit status %d', async (command, code, stdout) => {
  expect(await check(command)).toMatchObject({ code, stdout, stderr: '' })
})

test('--json prints the judgement', async () => {
  const { code, stdout } = await check('--json', 'npm install')

  expect(code).toBe(2)
  expect(JSON.parse(stdout)).toMatchObject({
    decision: 'ask',
    reasons: [{ program: 'npm' }],
    suggestion: [['npm', 'install']],
    repository: false,
  })
})

test.each([
  ['ls', /^\[allow\] every command is known to only read\n$/],
  ['npm test', /^\[allow\] `npm test`: is allowed\n$/],
  ['git status', /\nWhat git runs may depend on the configuration of the repository\.\n$/],
  ['mkdir x', /\nA rule that allows it: \{"prefix":\["mkdir"\],"decision":"allow"\}\n$/],
])('--explain says why, also of %s', async (command, text) => {
  expect((await check('--explain', command)).stdout).toMatch(text)
})

test.each([
  ['ls', 0, '[allow] every command is known to only read\n'],
  [
    'mkdir x',
    2,
    '[ask] `mkdir x`: changes files or processes\nA rule that allows it: {"prefix":["mkdir"],"decision":"allow"}\n',
  ],
  ['git push --force', 1, expect.stringMatching(/^\[deny\] `git push --force`/)],
])('--explain needs no rules: %s', async (command, code, stdout) => {
  expect(await bashward(['check', '--explain', command])).toMatchObject({ code, stdout, stderr: '' })
  const { stdout: json, ...exit } = await bashward(['check', '--explain', '--json', command])
  expect(exit).toMatchObject({ code, stderr: '' })
  expect(JSON.parse(json)).toMatchObject({ decision: ['allow', 'deny', 'ask'][code] })
})

test('--jsonl answers with judgements, and goes on after a line that is wrong', async () => {
  const input = '{"command":"npm test"}\n{}\n{"command":"npm publish"}\n'
  const { code, stdout } = await bashward(['check', '--jsonl', '--policy', fileOf(rules)], { input })

  expect(code).toBe(125)
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { decision: 'allow', reasons: [{ rule: 'npm test' }] },
    { error: { code: 'ERR_INVALID_INPUT' } },
    { decision: 'deny' },
  ])
})

test('the rules of Claude Code and codex go together with others', async () => {
  const settings = fileOf({ permissions: { allow: ['Bash(make test:*)', 'Read(x)'] } }, 'settings.json')
  const codex = fileOf('prefix_rule(pattern=["make", "clean"], decision="forbidden")', 'x.rules')
  const args = ['check', '--claude-settings', settings, '--codex-rules', codex]

  expect(await bashward([...args, 'make test'])).toMatchObject({
    code: 0,
    stderr: `bashward check: ${settings}: Read(x) is about another tool: left out\n`,
  })
  expect(await bashward([...args, 'make clean'])).toMatchObject({ code: 1 })
})

test('a rule that denies and has no counterpart fails it, unless that is wanted', async () => {
  const settings = fileOf({ permissions: { deny: ['Read(.env)'] } }, 'settings.json')

  expect(await bashward(['check', '--claude-settings', settings, 'ls'])).toMatchObject({
    code: 125,
    stderr: expect.stringContaining(`${settings}: "Read(.env)" is about another tool`),
  })
  expect(await bashward(['check', '--lenient', '--claude-settings', settings, 'ls'])).toMatchObject({
    code: 0,
  })
})

test('--test only loads the rules, with their examples', async () => {
  const wrong = { rules: [{ prefix: ['npm'], decision: 'ask', match: ['yarn'] }] }

  expect(await check('--test')).toMatchObject({ code: 0, stdout: '2 rules, as their examples say\n' })
  expect(await bashward(['check', '--test', '--policy', fileOf(wrong)])).toMatchObject({
    code: 125,
    stderr: expect.stringMatching(
      /rules\.json: rules\[0\]\.match\[0\]: the rule does not match its example "yarn"/,
    ),
  })
})

test.each([
  [['--test', '--policy', 'FILE', 'ls'], /--test takes no command/],
  [['--policy', '/no/such/file', 'ls'], /\/no\/such\/file: cannot be read: /],
  [['--policy', 'TEXT', 'ls'], /must be JSON: /],
  [['--policy', 'LIST', 'ls'], /must have an object/],
])('%j is refused', async (args, message) => {
  const files: Record<string, string> = { FILE: fileOf(rules), TEXT: fileOf('rules:'), LIST: fileOf([]) }
  const { code, stderr } = await bashward(['check', ...args.map((arg) => files[arg] ?? arg)])

  expect(code).toBe(125)
  expect(stderr).toMatch(message)
})
