// The option `safety` of the tools, and what their descriptions say of it.
import { createBashSuite, createBashTool, createExecTool, type SafetyRule } from '../../lib/index.js'

/** Refuses the program `touch`. */
const noTouch: SafetyRule = {
  name: 'no-touch',
  applies: ({ program, words }) => (program === 'touch' ? words[0] : null),
  explain: ({ words }) => `${words.map(({ text }) => text).join(' ')} makes a file; ask first`,
}

describe('the option', () => {
  const makers = { createBashTool, createBashSuite, createExecTool }

  test.each(Object.entries(makers))('of %s is checked when the tool is made', (_, make) => {
    const wrong: [unknown, string][] = [
      ['yes', 'safety: must be a boolean or an object (got "yes")'],
      [null, 'safety: must be a boolean or an object (got null)'],
      [[], 'safety: must be an object (got [])'],
      [{ rule: {} }, 'safety.rule: unknown field; did you mean rules? (allowed: rules)'],
      [{ rules: { off: 'all' } }, 'safety.rules.off: must be an array of rule names (got "all")'],
    ]
    for (const [safety, message] of wrong) {
      expect(() => make({ safety } as never)).toThrow(
        expect.objectContaining({ code: 'ERR_INVALID_INPUT', message }),
      )
    }
  })

  test.each<[unknown]>([[undefined], [true], [false], [{}], [{ rules: undefined }], [{ rules: {} }]])(
    'may be %j',
    (safety) => {
      for (const make of Object.values(makers)) expect(() => make({ safety } as never)).not.toThrow()
    },
  )
})

describe('the description of a tool', () => {
  const line = /^Refused before they run: git add .*; git push --force .*; rm -rf .*\.$/m

  test('says what is refused', () => {
    expect(createBashTool().description({ workingDir: '/' })).toMatch(line)
    expect(createBashSuite().bash.description({ workingDir: '/' })).toMatch(line)
    expect(createExecTool().description({ workingDir: '/' })).toMatch(line)
  })

  test('names the rules of the host, and not those that are off', () => {
    const safety = { rules: { off: ['git-add-blind', 'rm-dangerous', 'needs-terminal'], add: [noTouch] } }

    expect(createBashTool({ safety }).description({ workingDir: '/' })).toContain(
      'Refused before they run: git push --force or --mirror (--force-with-lease is fine); no-touch.\n',
    )
  })

  test('has the words of a rule that says what it refuses', () => {
    const add = [{ ...noTouch, refuses: 'touch' }]

    expect(createBashTool({ safety: { rules: { add } } }).description({ workingDir: '/' })).toMatch(
      /; touch\.$/m,
    )
  })

  test('has the words of a built-in rule for one that takes its place', () => {
    const rules = { off: ['git-add-blind'], add: [{ ...noTouch, name: 'git-add-blind' }] }

    expect(createBashTool({ safety: { rules } }).description({ workingDir: '/' })).toMatch(
      /; git add of every.*\.$/m,
    )
  })

  test('says nothing where nothing is refused', () => {
    expect(createBashTool({ safety: false }).description({ workingDir: '/' })).not.toContain('Refused')
  })
})
