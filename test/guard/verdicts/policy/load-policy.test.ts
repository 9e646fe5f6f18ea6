import { loadPolicy, type PolicyData } from '../../../../lib/index.js'

const allow = { prefix: ['npm', ['test', 'run']], decision: 'allow' } as const
const load = (data: unknown) => loadPolicy(data as PolicyData)

test('a rule has the words of its prefix, and is called by them', () => {
  expect(load({ rules: [allow] }).rules).toEqual([
    {
      prefix: [['npm'], ['test', 'run']],
      decision: 'allow',
      exact: false,
      why: undefined,
      name: 'npm test|run',
    },
  ])
})

test('several files are one policy', () => {
  const policy = loadPolicy([
    { rules: [allow], off: ['git-add-blind'] },
    { rules: [{ prefix: ['rm'], decision: 'deny', name: 'no rm' }], off: ['git-add-blind', 'rm-dangerous'] },
  ])

  expect(policy.rules.map(({ name }) => name)).toEqual(['npm test|run', 'no rm'])
  expect(policy.off).toEqual(['git-add-blind', 'rm-dangerous'])
})

test.each([
  ['its words', allow, ['npm test', 'npm run build -- -w'], ['npm install', 'yarn test']],
  ['behind another command', allow, ['ls && npm test > log'], ['echo npm test']],
  [
    'behind a wrapper',
    { prefix: ['git', 'push'], decision: 'deny' },
    ['sudo git push', "bash -c 'git push'"],
    ['git pull'],
  ],
  [
    'with the value of a variable',
    { prefix: ['git', 'push'], decision: 'ask' },
    ['x=push; git $x'],
    ['git "$y"'],
  ],
  ['exactly', { prefix: ['make'], decision: 'allow', exact: true }, ['make'], ['make clean']],
])('examples that it matches and must not match: %s', (_, rule, match, notMatch) => {
  expect(() => load({ rules: [{ ...rule, match, notMatch }] })).not.toThrow()
  expect(() => load({ rules: [{ ...rule, match: notMatch.slice(0, 1) }] })).toThrow(
    /does not match its example/,
  )
  expect(() => load({ rules: [{ ...rule, notMatch: match.slice(0, 1) }] })).toThrow(/which it must not/)
})

test.each<[string, unknown, RegExp]>([
  ['no object', 7, /^policy: must be an object \(got 7\)/],
  ['no rules', {}, /^policy: rules: must be an array of rules \(got undefined\)/],
  ['an unknown field', { rules: [], rule: [] }, /^policy\.rule: unknown field \(allowed: rules, off, from\)/],
  [
    'an unknown field of a rule',
    { rules: [{ ...allow, pattern: [] }] },
    /^policy: rules\[0\]\.pattern: unknown field/,
  ],
  [
    'another decision',
    { rules: [{ ...allow, decision: 'forbid' }] },
    /^policy: rules\[0\]\.decision: must be one of allow, ask, deny \(got "forbid"\)/,
  ],
  ['no prefix', { rules: [{ decision: 'ask' }] }, /^policy: rules\[0\]\.prefix: must be an array of words/],
  ['an empty prefix', { rules: [{ ...allow, prefix: [] }] }, /prefix: must be an array of words/],
  [
    'no word for a place',
    { rules: [{ ...allow, prefix: ['npm', []] }] },
    /prefix\[1\]: must be a string or an array of strings/,
  ],
  [
    'a text in place of words',
    { rules: [{ ...allow, prefix: ['npm test'] }] },
    /prefix\[0\]: must be the name of a program/,
  ],
  [
    'a program by its path',
    { rules: [{ ...allow, prefix: ['/bin/ls'] }] },
    /prefix\[0\]: must be the name of a program/,
  ],
  ['an unknown safety rule', { rules: [], off: ['rm'] }, /^policy: off\[0\]: must be one of git-add-blind, /],
  [
    'an example that is no text',
    { rules: [{ ...allow, match: [7] }] },
    /rules\[0\]\.match\[0\]: must be a command \(got 7\)/,
  ],
  ['the second of several', [{ rules: [] }, { rules: 7 }], /^policy\[1\]: rules: must be an array of rules/],
  [
    'one with a name',
    { from: 'rules.json', rules: [{ ...allow, exact: 1 }] },
    /^rules\.json: rules\[0\]\.exact: must be a boolean/,
  ],
])('refused by name: %s', (_, data, message) => {
  expect(() => load(data)).toThrow(
    expect.objectContaining({ code: 'ERR_POLICY', message: expect.stringMatching(message) }),
  )
})

test('an example may be long', () => {
  const rule = { prefix: ['npm', 'publish'], decision: 'deny' }
  const long = `npm publish ${'x'.repeat(1900)}`

  expect(() => load({ rules: [{ ...rule, match: [long] }] })).not.toThrow()
  expect(() => load({ rules: [{ ...rule, notMatch: [long] }] })).toThrow(/which it must not/)
})
