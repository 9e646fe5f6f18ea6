import type { JudgeOptions } from '../../../lib/guard/verdicts/judge-options.js'
import { type Judgement, judgeCommand } from '../../../lib/index.js'
import { readCommands, readDecisions } from './corpus.js'

const place = { workingDir: '/srv/project', home: '/home/dev' }
const judge = async (command: string, options: JudgeOptions = {}): Promise<Judgement> =>
  judgeCommand(command, { ...place, ...options })
const decisionOn = async (command: string, options?: JudgeOptions) => (await judge(command, options)).decision

describe('the lists', () => {
  test('none of the attempts is allowed', async () => {
    const allowed: string[] = []
    for (const command of readCommands('attempts')) {
      if ((await decisionOn(command)) === 'allow') allowed.push(command)
    }

    expect(allowed).toEqual([])
  })

  test('of what agents type, 467 of 730 need nobody', async () => {
    const commands = readCommands('ordinary')
    const decisions = await Promise.all(commands.map((command) => decisionOn(command)))

    expect(commands).toHaveLength(730)
    expect(decisions.filter((decision) => decision === 'allow')).toHaveLength(467)
  })

  test.each(readDecisions())('%s: %s', async (decision, command = '') => {
    expect(await decisionOn(command)).toBe(decision)
  })

  test('a command that asks does so with any other around it', async () => {
    const asking = readCommands('attempts').filter((command) => !/[\n#\\<]/.test(command))
    const wrong: string[] = []
    for (const command of asking) {
      for (const text of [`ls; ${command}`, `ls && { ${command}\n}`, `echo "$(${command}\n)"`]) {
        if ((await decisionOn(text)) === 'allow') wrong.push(text)
      }
    }

    expect(wrong).toEqual([])
  })

  test('what is allowed asks as soon as it writes to a file', async () => {
    const wrong: string[] = []
    for (const command of readCommands('ordinary')) {
      if (/[\n#<]/.test(command) || (await decisionOn(command)) !== 'allow') continue
      if ((await decisionOn(`${command} > file`)) === 'allow') wrong.push(command)
    }

    expect(wrong).toEqual([])
  })
})

describe('the judgement', () => {
  test('of a command that only reads has no reasons', async () => {
    expect(await judge('grep -rn TODO src | sort | uniq -c')).toEqual({
      decision: 'allow',
      reasons: [],
      suggestion: null,
      repository: false,
    })
  })

  test('has a reason for each command that asks, with its place', async () => {
    const { decision, reasons } = await judge('ls && npm test; sort -o out in')

    expect(decision).toBe('ask')
    expect(reasons).toEqual([
      {
        rule: 'not-known-to-read',
        match: { start: 6, end: 14, text: 'npm test' },
        program: 'npm',
        effect: 'network',
        message: '`npm test`: reaches a network',
      },
      {
        rule: 'not-known-to-read',
        match: { start: 16, end: 30, text: 'sort -o out in' },
        program: 'sort',
        effect: 'unknown',
        message: '`sort -o out in`: option `-o` is not known to only read',
      },
    ])
  })

  test('has the reason of a safety rule, and denies', async () => {
    const { decision, reasons } = await judge('git push --force origin main')

    expect(decision).toBe('deny')
    expect(reasons).toMatchObject([{ rule: 'git-push-force', program: 'git', effect: 'writes' }])
  })

  test('asks about a blind git add, which somebody may have meant', async () => {
    expect(await judge('git add -A')).toMatchObject({ decision: 'ask', reasons: [{ rule: 'git-add-blind' }] })
  })

  test('denies what is not known, where nobody can be asked', async () => {
    expect(await decisionOn('npm test', { default: 'deny' })).toBe('deny')
    expect(await decisionOn('git add -A', { default: 'deny' })).toBe('deny')
    expect(await decisionOn('ls', { default: 'deny' })).toBe('allow')
  })

  test('says that git may run what a repository names', async () => {
    expect(await judge('git status')).toMatchObject({ decision: 'allow', repository: true })
    expect(await judge('git --version')).toMatchObject({ decision: 'allow', repository: false })
  })

  test('asks about control characters, which bash may drop', async () => {
    for (const character of '\0\u0001\u007f\u000b\u001b') {
      expect(await decisionOn(`ls ${character}x`)).toBe('ask')
    }
  })

  test('shows control characters of a command as escapes', async () => {
    const { reasons } = await judge('touch "a\u001b[2Jb"')

    expect(reasons[0]?.message).not.toContain('\u001b')
  })

  test('has 32 reasons at most', async () => {
    const { reasons } = await judge(Array.from({ length: 100 }, (_, index) => `touch ${index}`).join('\n'))

    expect(reasons).toHaveLength(32)
  })

  test('of a long command is a promise', async () => {
    const judgement = judgeCommand(`echo ${'x'.repeat(5000)}`, place)

    expect(judgement).toBeInstanceOf(Promise)
    expect((await judgement).decision).toBe('allow')
  })

  test('asks about a text that is too long to be read twice', async () => {
    expect(await judge(`echo ${'x'.repeat(240_000)}`)).toMatchObject({ decision: 'ask' })
  })
})

describe('options', () => {
  test.each([
    [{ default: 'allow' }, 'default: must be one of ask, deny (got "allow")'],
    [{ workingDir: 'src' }, 'workingDir'],
    [{ cwd: '/' }, 'workingDir'],
    [{ home: 1 }, 'home'],
  ])('%j are refused', (options, message) => {
    expect(() => judgeCommand('ls', options as JudgeOptions)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_INPUT', message: expect.stringContaining(message) }),
    )
  })

  test('a command that is no string is refused', () => {
    expect(() => judgeCommand(1 as unknown as string)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_INPUT' }),
    )
  })
})

describe('what is unknown may be an option', () => {
  test.each([
    ['sort "$x"', 'ask'],
    ['sort -- "$x"', 'allow'],
    ['sort "./$x"', 'allow'],
    ['sort ./$x', 'ask'],
    ['sort *', 'ask'],
    ['sort ./*', 'allow'],
    ['cat *', 'allow'],
    ['find . -name "$x"', 'allow'],
    ['find . -name $x', 'ask'],
    ['find src -exec sort {} +', 'allow'],
    ['ls | xargs sort', 'ask'],
    ['ls | xargs wc -l', 'allow'],
    ['ls | xargs -I{} wc -l src/{}', 'allow'],
    ['ls | xargs -I{} sort {}', 'ask'],
    ["ls | xargs -I{} sh -c 'wc -l {}'", 'ask'],
    ['ls | xargs -I{} {} x', 'ask'],
    ['sort <(ls)', 'allow'],
    ['uniq ~/file', 'allow'],
  ])('%s: %s', async (command, decision) => {
    expect(await decisionOn(command)).toBe(decision)
  })
})

describe('values of variables do not count', () => {
  test.each([
    'false && x=f; sort $x',
    'x=f | true; sort "$x"',
    '(x=f); sort "$x"',
    'for x in f; do :; done; sort "$x"',
  ])('%s', async (command) => {
    expect(await decisionOn(command)).toBe('ask')
  })
})

describe('what a shell is told to run is judged', () => {
  test.each([
    ["bash -c 'ls; wc -l a'", 'allow'],
    ["bash -c 'ls; touch a'", 'ask'],
    ["bash -euo pipefail -c 'ls'", 'ask'],
    ["eval 'ls'", 'allow'],
    ['eval "$x"', 'ask'],
    ["timeout 5 env LANG=C sh -c 'ls'", 'allow'],
    ["timeout 5 env PATH=. sh -c 'ls'", 'ask'],
  ])('%s: %s', async (command, decision) => {
    expect(await decisionOn(command)).toBe(decision)
  })

  test('text in text is read once, however often it is found', async () => {
    let command = 'ls'
    for (let depth = 0; depth < 12; depth++) command = `eval ${JSON.stringify(command)}`

    expect(await decisionOn(command)).toBe('allow')
  })

  test.each([
    ['programs that run programs', 'xargs '.repeat(3000)],
    ['places of find', 'find . -exec '.repeat(1000)],
  ])('too many of %s ask', async (_, command) => {
    expect(await decisionOn(`${command}ls`)).toBe('ask')
  })
})
