// Which `verdicts` a tool takes, and what it says about others.
import { createBashSuite, createBashTool, createExecTool, loadPolicy } from '../../../lib/index.js'

const policy = loadPolicy({ rules: [] })

test.each([
  ['verdicts: must be an object (got true)', true],
  ['verdicts.approve: must be a function (got "yes")', { approve: 'yes' }],
  ['verdicts.policy: must be what loadPolicy() returns (got {"rules":[]})', { policy: { rules: [] } }],
  ['verdicts.default: must be one of ask, deny (got "allow")', { default: 'allow' }],
  ['verdicts.reads: must be one of confined, same (got "free")', { reads: 'free' }],
  ['verdicts.canUseTool: unknown field; did you mean approve?', { canUseTool: () => 'once' }],
])('%s', (message, verdicts) => {
  for (const create of [createBashTool, createBashSuite, createExecTool]) {
    expect(() => create({ verdicts } as never)).toThrow(message)
  }
})

test('rules of a context are refused by a tool that does not judge', async () => {
  const context = { workingDir: '/', policy }

  expect(await createBashTool().execute({ command: 'ls' }, context)).toMatchObject({
    status: 'error',
    error: {
      code: 'ERR_INVALID_INPUT',
      message: expect.stringContaining(
        'context.policy: must be left out for a tool that was made without verdicts',
      ),
    },
  })
})

test('rules of a context are those that loadPolicy() returns', async () => {
  const context = { workingDir: '/', policy: { rules: [] } as never }

  expect(await createBashTool({ verdicts: {} }).execute({ command: 'ls' }, context)).toMatchObject({
    status: 'error',
    error: { message: expect.stringContaining('context.policy: must be what loadPolicy() returns') },
  })
})

test('the description says who is asked', () => {
  const describe = (verdicts: object) => createBashTool({ verdicts }).description({ workingDir: '/' })

  expect(describe({})).toContain('Nobody can be asked: only commands run that are known to only read.')
  expect(describe({ approve: async () => 'once' })).toContain(
    'A person is asked before each command that is not known to only read.',
  )
  const allows = loadPolicy({ rules: [{ prefix: ['npm', 'test'], decision: 'allow' }] })
  expect(describe({ policy: allows })).toContain('known to only read, or that a rule allows.')
})

test('a tool without verdicts cannot be asked', () => {
  expect(createBashTool().judge).toBeUndefined()
  expect(createBashSuite().bash.judge).toBeUndefined()
  expect(createExecTool().judge).toBeUndefined()
})
