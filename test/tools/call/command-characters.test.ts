// Characters of commands that nobody sees: ends of lines of another system, byte order marks, other spaces.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CallLedger, createBashTool, createExecTool } from '../../../lib/index.js'
import { readCommand } from '../../../lib/tools/call/command-characters.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

const bash = createBashTool()
const run = async (command: string) => {
  const result = await bash.execute({ command }, { workingDir: '/' })
  return { result, text: bash.toText(result) }
}
const told = '[of the command, its lines end with CRLF, which was taken for LF]'

describe('CRLF at the ends of lines is taken for LF', () => {
  test.each([
    ['echo a\r\necho b\r\n', 'echo a\necho b\n'],
    ['if true; then\r\n  echo a\r\nfi', 'if true; then\n  echo a\nfi'],
    ['echo a \\\r\n  b\r\n', 'echo a \\\n  b\n'],
    ["# don't\r\necho a\r\n", "# don't\necho a\n"],
    ['echo "a\r\nb"\r\necho c', 'echo "a\r\nb"\necho c'],
    ["echo 'a\nb'\r\necho c", "echo 'a\nb'\necho c"],
    ["echo $'it\\'s\r\n'\r\n", "echo $'it\\'s\r\n'\n"],
    ['echo "$(echo a\r\necho b)"\r\n', 'echo "$(echo a\necho b)"\n'],
    ['cat <<< x\r\n', 'cat <<< x\n'],
    ['case a in\r\na) echo b;;\r\nesac', 'case a in\na) echo b;;\nesac'],
  ])('%j', (command, text) => {
    expect(readCommand(command)?.text).toBe(text)
  })

  test.each([
    'echo a\r\necho b\n',
    'cat <<E\r\na\r\nE\r\n',
    'echo "a\r\nb"',
    'echo a\r',
    "echo 'a\r\n",
    'echo a\rb',
  ])('%j stays as it is', (command) => {
    expect(readCommand(command)).toBeUndefined()
  })

  test('runs, is told, and leaves the command as it was given', async () => {
    const command = 'for x in a b; do\r\n  echo $x\r\ndone\r\n'
    const { result, text } = await run(command)

    expect(result).toMatchObject({ status: 'completed', command, output: 'a\nb\n' })
    expect(text).toBe(`a\nb\n${told}`)
  })

  test('is what rules see, and a refusal tells where it stands in the command', async () => {
    const { result } = await run('ls\r\ngit add .\r\nls')

    expect(result).toMatchObject({
      status: 'rejected',
      command: 'ls\r\ngit add .\r\nls',
      rejection: { rule: 'git-add-blind', match: { start: 4, end: 13, text: 'git add .' } },
    })
  })

  test('is what verdicts judge', async () => {
    const judge = createBashTool({ verdicts: {} }).judge
    const judgement = await judge?.({ command: 'ls\r\ntouch x\r\n' }, { workingDir: '/' })

    expect(judgement).toMatchObject({
      decision: 'ask',
      reasons: [{ program: 'touch', match: { start: 4, text: 'touch x' } }],
    })
    expect(await judge?.({ command: 'ls\r\npwd\r\n' }, { workingDir: '/' })).toMatchObject({
      decision: 'allow',
    })
  })

  test('and is what a ledger remembers', async () => {
    const dir = tempDir()
    const tool = createBashTool({ calls: new CallLedger({ directory: join(dir, 'calls') }) })
    const call = async (command: string) =>
      await tool.execute({ command }, { workingDir: dir, toolCallId: 'one', conversationId: 'c' })

    expect(await call('echo a >>f\r\necho b\r\n')).toMatchObject({ status: 'completed', output: 'b\n' })
    expect(await call('echo a >>f\necho b\n')).toMatchObject({ replayed: true })
    expect(readFileSync(join(dir, 'f'), 'utf8')).toBe('a\n')
    expect(existsSync(join(dir, 'f\r'))).toBe(false)
  })
})

test('a byte order mark at the beginning is left out', async () => {
  const { result, text } = await run('\ufeffecho a')

  expect(result).toMatchObject({ status: 'completed', command: '\ufeffecho a' })
  expect(text).toBe('a\n[of the command, the byte order mark at its beginning was left out]')
})

describe('other spaces', () => {
  test.each([
    ['ls\u00a0-l', 'a no-break space (U+00A0) in line 1, column 3'],
    ['echo "a\u00a0b"\nls \u200b/', 'a zero-width space (U+200B) in line 2, column 4'],
    ['# \u00a0\n😀\u3000a', 'a ideographic space (U+3000) in line 2, column 2'],
    ['echo a\r\nnone\r\nfalse\n', 'a carriage return (U+000D) in line 1, column 7'],
    ['a\u2003b\u2003c\u2003d\u2003e', 'column 6, and 1 more'],
  ])('of %j are named when it fails', async (command, place) => {
    const { result, text } = await run(command)

    expect(result.status).toBe('failed')
    expect(text).toContain('\n[the command has ')
    expect(text).toContain(place.replace('a ideo', 'an ideo'))
  })

  test.each([
    "echo 'a\u00a0b'; false",
    'echo "\u200b"; false',
    'false # \u00a0',
    'cat <<E; false\na\u00a0b\nE',
    'echo a\\\u00a0b; false',
  ])('of %j are not', async (command) => {
    const { result, text } = await run(command)

    expect(result.status).toBe('failed')
    expect(text).not.toContain('the command has')
  })

  test('nor of a command that succeeds', async () => {
    expect((await run('echo a\u00a0b')).text).toBe('a\u00a0b\n')
  })
})

test('the exec tool runs what it is given', async () => {
  const exec = createExecTool()
  const result = await exec.execute({ command: 'echo a\r\necho b\r\n' }, { workingDir: '/' })

  expect(result).toMatchObject({ exitCode: 0, stdout: 'a\r\nb\r\n' })
  expect(JSON.stringify(await exec.execute({ command: 'ls\u00a0-l' }, { workingDir: '/' }))).not.toContain(
    'U+00A0',
  )
})
