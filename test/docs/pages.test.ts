// The README and the pages of docs/ print what they say.
import { blocksOf } from './blocks.js'
import { testPage } from './executed-page.js'

test("the README's first program has six lines", () => {
  const [first] = blocksOf('README').filter(({ language }) => language === 'js')

  expect(first?.code.trimEnd().split('\n')).toHaveLength(6)
})

describe.each([
  'README',
  'docs/getting-started',
  'docs/tools',
  'docs/options',
  'docs/modes-and-timeouts',
  'docs/output',
  'docs/background-jobs',
  'docs/terminals',
  'docs/sessions',
  'docs/calls',
  'docs/environment',
  'docs/portable-engine',
  'docs/verdicts',
  'docs/runtimes',
])('%s', (page) => testPage(page))
