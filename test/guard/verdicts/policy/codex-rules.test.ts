import { importCodexRules } from '../../../../lib/index.js'

test('rules, with everything that they may have', () => {
  const { policy, refused } = importCodexRules(`# comment
prefix_rule(
    pattern = ["git", ["status", "log"]],  # alternatives
    decision = "prompt",
    justification = 'it\\'s \\"read\\"',
    match = [["git", "status"], "git log -1"],
    not_match = ["git push",],
)
prefix_rule(pattern=[["bun", "npm"], r"a\\b", """x
y"""], justification=None)
prefix_rule(pattern=["rm"], decision="forbidden")`)

  expect(refused).toEqual([])
  expect(policy.rules).toMatchObject([
    { prefix: [['git'], ['status', 'log']], decision: 'ask', why: 'it\'s "read"' },
    { prefix: [['bun', 'npm'], ['a\\b'], ['x\ny']], decision: 'allow', why: undefined },
    { prefix: [['rm']], decision: 'deny' },
  ])
})

test('calls without a counterpart are told', () => {
  const text =
    'host_executable(name="git", paths=["/usr/bin/git"])\nnetwork_rule(host="x", protocol="https", decision="allow")'

  expect(() => importCodexRules('network_rule(host="x", protocol="https", decision="deny")')).toThrow(
    /more would be allowed/,
  )
  expect(importCodexRules(text, { lenient: true }).refused).toEqual([
    { text: 'host_executable at line 1', why: expect.stringContaining('by its path asks') },
    { text: 'network_rule at line 2', why: expect.stringContaining('a list of them') },
  ])
})

test.each([
  ['for x in ["a"]:\n  prefix_rule(pattern=[x])', /^r:1: only calls are read/],
  ['\nx = 1', /^r:2: only calls are read/],
  ['prefix_rule(pattern=["a"] + ["b"])', /^r:1: `,` or `\)` is missing/],
  ['prefix_rule(pattern=[f"a"])', /^r:1: only strings and lists are read/],
  ['prefix_rule(["a"])', /^r:1: an argument must have a name/],
  ['prefix_rule(pattern=["a"], pattern=["b"])', /^r:1: pattern is given twice/],
  ['prefix_rule(pattern=["a])', /^r:1: a string has no end/],
  ['prefix_rule(pattern=["a\\x41"])', /^r:1: a string has an escape that is not read/],
  [`prefix_rule(pattern=${'['.repeat(9)}`, /^r:1: lists are nested too deeply/],
  ['prefix_rule(pattern=["a"], decision="deny")', /^r:1: decision must be one of allow, prompt, forbidden/],
  ['prefix_rule(pattern=["a"], other=1)', /^r:1: only strings and lists/],
  ['prefix_rule(pattern=["a"], other=True)', /^r:1: prefix_rule has no argument other/],
  ['prefix_rule(pattern="a")', /^r:1: pattern must be a list/],
  ['prefix_rule(pattern=["a"], match=["b"])', /^r: rules\[0\]\.match\[0\]: the rule does not match/],
  ['load("x")', /^r:1: an argument must have a name/],
  ['other_rule(name="x")', /^r:1: other_rule is not known/],
])('%j is refused as a whole', (text, message) => {
  expect(() => importCodexRules(text, { from: 'r' })).toThrow(
    expect.objectContaining({ code: 'ERR_POLICY', message: expect.stringMatching(message) }),
  )
})
