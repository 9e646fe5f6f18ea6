import { importClaudeSettings } from '../../../../lib/index.js'

const imported = (permissions: object, lenient = false) => importClaudeSettings({ permissions }, { lenient })

test.each([
  ['Bash(npm run test:*)', [['npm'], ['run'], ['test']], false],
  ['Bash(npm run test *)', [['npm'], ['run'], ['test']], false],
  ['Bash(npm run build)', [['npm'], ['run'], ['build']], true],
  ["Bash(git commit -m 'a b':*)", [['git'], ['commit'], ['-m'], ['a b']], false],
])('%s', (text, prefix, exact) => {
  expect(imported({ allow: [text] }).policy.rules).toEqual([
    { prefix, exact, decision: 'allow', why: undefined, name: text },
  ])
})

test('the lists say what is decided', () => {
  const { policy } = imported({ allow: ['Bash(ls:*)'], ask: ['Bash(git push:*)'], deny: ['Bash(rm:*)'] })

  expect(policy.rules.map(({ decision, name }) => [decision, name])).toEqual([
    ['deny', 'Bash(rm:*)'],
    ['ask', 'Bash(git push:*)'],
    ['allow', 'Bash(ls:*)'],
  ])
})

test.each([
  ['Bash', /every command/],
  ['Bash(*)', /every command/],
  ['Bash(git * main)', /within the text/],
  ['Bash(* --version)', /within the text/],
  ['Bash(ls*)', /without a space/],
  ['Bash(git:* push)', /within the text/],
  ['Bash(a && b)', /not one plain command/],
  ['Bash(x > f)', /not one plain command/],
  ['Bash($X run:*)', /not one plain command/],
  ['Bash(A=1 cmd)', /not one plain command/],
  ['Read(./.env)', /another tool/],
  ['WebFetch', /another tool/],
  ['mcp__server__tool', /another tool/],
])('%s has no counterpart', (text, why) => {
  expect(imported({ allow: [text] })).toMatchObject({
    policy: { rules: [] },
    refused: [{ text, why: expect.stringMatching(why) }],
  })
  expect(() => imported({ deny: [text] })).toThrow(
    expect.objectContaining({
      code: 'ERR_POLICY',
      message: expect.stringMatching(/^settings: .*more would be allowed/),
    }),
  )
  expect(imported({ ask: [text] }, true).refused).toHaveLength(1)
})

test('settings without rules are an empty policy', () => {
  expect(importClaudeSettings({ model: 'x' }).policy.rules).toEqual([])
})

test.each<[string, unknown, RegExp]>([
  ['no object', 'x', /^settings: must be an object \(got "x"\)/],
  [
    'no array',
    { permissions: { allow: 'Bash' } },
    /^settings: permissions\.allow: must be an array of rules/,
  ],
  [
    'no string',
    { permissions: { deny: [7] } },
    /^settings: permissions\.deny\[0\]: must be a string \(got 7\)/,
  ],
])('refused by name: %s', (_, settings, message) => {
  expect(() => importClaudeSettings(settings)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(message) }),
  )
})
