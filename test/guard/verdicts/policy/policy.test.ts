// What the rules of a host change about a judgement.
import { type Judgement, judgeCommand, loadPolicy, type PolicyRule } from '../../../../lib/index.js'

const place = { workingDir: '/srv/project', home: '/home/dev' }
const judge = async (command: string, rules: readonly PolicyRule[], off: string[] = []): Promise<Judgement> =>
  judgeCommand(command, { ...place, policy: loadPolicy({ rules, off }) })
const decisionOn = async (command: string, ...rules: PolicyRule[]) => (await judge(command, rules)).decision

const allow = (...prefix: PolicyRule['prefix']): PolicyRule => ({ prefix, decision: 'allow' })
const ask = (...prefix: PolicyRule['prefix']): PolicyRule => ({ prefix, decision: 'ask' })
const deny = (...prefix: PolicyRule['prefix']): PolicyRule => ({ prefix, decision: 'deny' })

describe('a rule that allows', () => {
  test.each([
    'npm test',
    'npm test -- --watch "$x"',
    'ls && npm test | tail -5',
    'timeout 60 npm test',
    'CI=1 npm test 2>&1',
    "bash -c 'npm test'",
    'if npm test; then echo ok; fi',
  ])('%s', async (command) => {
    expect(await decisionOn(command)).toBe('ask')
    expect(await decisionOn(command, allow('npm', 'test'))).toBe('allow')
  })

  test.each([
    'npm test > log',
    'npm test | tee log',
    'npm test; touch x',
    'npm test $(touch x)',
    'npm test <(touch x)',
    'PATH=. npm test',
    'npm "$x"',
    '$npm test',
    './npm test',
    'sudo npm test',
    'npm testing',
    'npm() { touch x; }; npm test',
  ])('does not hold for what is around it: %s', async (command) => {
    expect(await decisionOn(command, allow('npm', 'test'))).toBe('ask')
  })

  test('gives its reason where it is what decides', async () => {
    const { reasons } = await judge('ls; npm test', [{ ...allow('npm', 'test'), why: 'it only tests' }])

    expect(reasons).toEqual([
      {
        rule: 'npm test',
        match: { start: 4, end: 12, text: 'npm test' },
        program: 'npm',
        effect: 'unknown',
        message: '`npm test`: is allowed: it only tests',
      },
    ])
  })

  test('lifts no safety rule', async () => {
    const rules = [allow('rm'), allow('git', 'push'), allow('git', 'add')]

    expect(await decisionOn('rm -rf ~', ...rules)).toBe('deny')
    expect(await decisionOn('git push --force', ...rules)).toBe('deny')
    expect(await decisionOn('git add -A', ...rules)).toBe('ask')
  })

  test('says that git depends on the repository', async () => {
    expect(await judge('git commit -m x', [allow('git', 'commit')])).toMatchObject({
      decision: 'allow',
      repository: true,
    })
    expect(await decisionOn('cd /elsewhere && git commit -m x', allow('git', 'commit'))).toBe('ask')
  })
})

describe('a rule that denies', () => {
  test.each([
    'npm publish',
    'npm publish --dry-run',
    'ls; sudo npm publish',
    '/opt/bin/npm publish',
    'x=publish; npm $x',
    "bash -c 'npm publish'",
    'xargs npm publish',
    'echo "$(npm publish)"',
    'f() { npm publish; }',
  ])('%s', async (command) => {
    expect(await decisionOn(command, deny('npm', 'publish'))).toBe('deny')
  })

  test.each(['npm "$x"', 'npm $x publish', 'npm *', 'npm pub"$x"'])(
    'asks where it may be meant: %s',
    async (command) => {
      expect(await judge(command, [deny('npm', 'publish'), allow('npm')])).toMatchObject({
        decision: 'ask',
        reasons: [{ rule: 'npm publish', message: expect.stringContaining('may be `npm publish`') }],
      })
    },
  )

  test('is not named where the program may be any', async () => {
    const { decision, reasons } = await judge('$x publish', [deny('npm', 'publish'), deny('rm')])

    expect(decision).toBe('ask')
    expect(reasons.map(({ message }) => message)).toEqual(['`$x publish`: which program runs is not known'])
  })

  test('does not concern other commands', async () => {
    expect(await decisionOn('npm test', deny('npm', 'publish'), allow('npm'))).toBe('allow')
  })

  test('may be about what only reads', async () => {
    expect(await decisionOn('ls | grep x; cat .env', deny('cat', '.env'))).toBe('deny')
  })
})

describe('the strictest rule counts, whatever the order', () => {
  const rules = [allow('npm'), ask('npm', 'install'), deny('npm', 'publish')]

  test.each([
    ['npm run x', 'allow'],
    ['npm install x', 'ask'],
    ['npm publish', 'deny'],
    ['npm run x && npm install', 'ask'],
    ['npm install; npm publish', 'deny'],
  ])('%s: %s', async (command, decision) => {
    expect(await decisionOn(command, ...rules)).toBe(decision)
    expect(await decisionOn(command, ...[...rules].reverse())).toBe(decision)
  })
})

test('a command that asks by a safety rule hides none that is denied', async () => {
  const { decision, reasons } = await judge('git add -A && npm publish && git push --force', [
    deny('npm', 'publish'),
  ])

  expect(decision).toBe('deny')
  expect(reasons.map(({ rule }) => rule)).toEqual(['npm publish', 'git-push-force', 'git-add-blind'])
})

test('a safety rule that is off does not apply', async () => {
  expect(await judge('git push --force', [allow('git', 'push')], ['git-push-force'])).toMatchObject({
    decision: 'allow',
  })
  expect(await judge('git push --force', [], ['git-push-force'])).toMatchObject({ decision: 'ask' })
})

test('a rule that asks does so also where nothing else would be asked', async () => {
  const policy = loadPolicy({ rules: [ask('ls')] })

  expect(await judgeCommand('ls', { ...place, policy, default: 'deny' })).toMatchObject({ decision: 'ask' })
})

test('ten thousand rules do not slow down a command that none is about', async () => {
  const rules = Array.from({ length: 10_000 }, (_, index) => deny(`program${index}`, 'x'))

  expect(await decisionOn('ls -l', ...rules)).toBe('allow')
  expect(await decisionOn('program9999 x', ...rules)).toBe('deny')
})

test('anything but what loadPolicy returns is refused', () => {
  expect(() => judgeCommand('ls', { policy: { rules: [] } as never })).toThrow(
    expect.objectContaining({
      code: 'ERR_INVALID_INPUT',
      message: expect.stringContaining('policy: must be what loadPolicy() returns'),
    }),
  )
})

describe('a rule that denies holds though another one allows the program', () => {
  test.each([
    ['git -C x push', 'deny'],
    ['git -c a=b --no-pager push', 'deny'],
    ['/usr/lib/git-core/git-push', 'deny'],
    ['env -a x git push', 'deny'],
    ['git --unknown x push', 'ask'],
    ['if true; then x=push; else x=pull; fi; git $x', 'ask'],
    ['x=push; false && x=pull; git "$x"', 'ask'],
    ['git log push', 'allow'],
  ])('%s: %s', async (command, decision) => {
    expect(await decisionOn(command, allow('git'), allow('env'), deny('git', 'push'))).toBe(decision)
  })
})

test('options of a package manager are not set for a program that a rule allows', async () => {
  expect(await decisionOn('npm_config_script_shell=./x npm test', allow('npm', 'test'))).toBe('ask')
})

describe('where rules cannot be asked about all commands, the text asks', () => {
  const nested = (command: string, depth: number): string =>
    depth === 0 ? command : `eval ${JSON.stringify(nested(command, depth - 1))}`

  test.each([
    ['too many wrappers', `${'nice '.repeat(40)}git push`],
    ['too much text in text', nested(`: ${'x'.repeat(4500)}; git push`, 9)],
  ])('%s', async (_, command) => {
    const rules = [allow('git'), allow('nice'), deny('git', 'push')]

    expect(await decisionOn(command, ...rules)).toBe('ask')
    expect(await decisionOn('nice nice git push', ...rules)).toBe('deny')
  })
})
