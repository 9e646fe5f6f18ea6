// The pages print what they say: every js block is run as a module and has to print the text block after it, or nothing;
// every console block is typed line by line. What may differ: see placeholders.ts.
import { endJobs } from '../support/jobs.js'
import { cannotTest } from '../support/must-work.js'
import { whyNotRestricted } from '../support/restricted.js'
import { removeTempDirs } from '../support/temp-dir.js'
import { type Block, blocksOf } from './blocks.js'
import { Placeholders } from './placeholders.js'
import { Reader } from './reader.js'
import { scriptedModel } from './scripted-model.js'

const pages = [
  'README.md',
  'docs/getting-started.md',
  'docs/tools.md',
  'docs/modes-and-timeouts.md',
  'docs/background-jobs.md',
  'docs/sessions.md',
  'docs/environment.md',
  'docs/output.md',
  'docs/options.md',
]

afterEach(async () => {
  await endJobs()
  removeTempDirs()
})

/** A module or a line of a terminal, and what it has to print. */
interface Trial {
  kind: 'js' | 'console'
  code: string
  expected: string
  heading: string
}

const trialsOf = (page: string): Trial[] =>
  blocksOf(page).flatMap((block, index, blocks) => {
    if (block.language === 'js') return [moduleTrial(block, blocks[index + 1])]
    return block.language === 'console' ? lineTrials(block) : []
  })

const moduleTrial = ({ code, heading }: Block, next: Block | undefined): Trial => {
  const expected = next?.language === 'text' ? next.code : ''
  return { kind: 'js', code, expected, heading }
}

const lineTrials = ({ code, heading }: Block): Trial[] =>
  code
    .split(/^(?=\$ )/m)
    .map((part) => /^\$ (.*)\n([\s\S]*)$/.exec(part) ?? [])
    .map(([, line = '', expected = '']) => ({ kind: 'console', code: line, expected, heading }))

/** What nobody sees, and editors take away. */
const withoutBlankEnds = (text: string): string => text.replace(/[ \n]+$/, '').replace(/ +\n/g, '\n')

const withModel = (code: string): string => (/\bmodel,/.test(code) ? scriptedModel + code : code)

test("the README's first program has six lines, as it says", () => {
  const [first] = blocksOf('README.md').filter(({ language }) => language === 'js')

  expect(first?.code.trimEnd().split('\n')).toHaveLength(6)
})

test.each(pages)(
  '%s',
  async (page) => {
    const notRestricted = await whyNotRestricted()
    const reader = new Reader()
    const placeholders = new Placeholders()
    for (const { kind, code, expected, heading } of trialsOf(page)) {
      if (notRestricted !== undefined && /--restricted|'restricted'/.test(code)) {
        cannotTest(`${heading}: ${notRestricted}`)
        continue
      }
      const filled = placeholders.fill(code)
      const printed = kind === 'js' ? reader.runModule(withModel(filled)) : reader.type(filled)
      const settled = placeholders.settle(withoutBlankEnds(printed), expected)
      expect([heading, code, settled].join('\n\n')).toBe([heading, code, expected.trimEnd()].join('\n\n'))
    }
  },
  // Dozens of programs one after the other, on a machine that may be busy.
  300_000,
)
