// The tables name what the code has, all of it and nothing else.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runOptionNames } from '../../lib/commands/run/options.js'
import { nonInteractiveDefaults } from '../../lib/processes/environment/defaults.js'
import { neverInherited } from '../../lib/processes/environment/never-inherited.js'
import { secretNameRules, secretValueRules } from '../../lib/processes/environment/secrets.js'
import { bashOptionNames } from '../../lib/tools/bash-tool.js'
import { execOptionNames } from '../../lib/tools/exec-tool.js'
import { suiteOptionNames } from '../../lib/tools/suite/suite.js'
import { packageRoot } from '../support/as-user.js'
import { readPage } from './blocks.js'

/** The names of an interface's fields, of the text of its declaration. */
const fieldsOf = (file: string, name: string): string[] => {
  const source = readFileSync(join(packageRoot, 'lib', file), 'utf8')
  const [, body = ''] =
    new RegExp(`^export interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)^\\}`, 'm').exec(source) ?? []
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, field = '']) => field)
}

/** The rows of the tables under a heading, each as its cells. */
const rowsUnder = (page: string, heading: string): string[][] => {
  const [, section = ''] = readPage(page).split(new RegExp(`^#+ ${heading}$`, 'm'))
  const [text = ''] = section.split(/^#/m)
  return [...text.matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) =>
    row.split(/(?<!\\)\|/).map((cell) => cell.trim()),
  )
}

/** The names in the first cells of the tables. */
const namesUnder = (page: string, heading: string): string[] =>
  rowsUnder(page, heading).flatMap(([cell = '']) =>
    [...cell.matchAll(/`(\w+)/g)].map(([, name = '']) => name),
  )

const findings = 'guard/sandbox/findings.ts'

test.each([
  [
    'docs/tools',
    '`BashResult`',
    ['commands/run/result.ts', 'BashResult'],
    [findings, 'DenialFields', 'SandboxFindings', 'ReachedLimit'],
  ],
  ['docs/tools', 'What a tool has', ['tools/types.ts', 'Tool', 'ToolContext']],
  ['docs/verdicts', 'Verdicts', ['guard/verdicts/judgement.ts', 'Judgement']],
  ['docs/options', '`limits`', ['guard/sandbox/resource-limits.ts', 'ResourceLimits']],
  ['docs/environment', 'Options', ['processes/environment/environment-options.ts', 'EnvironmentOptions']],
  ['docs/workspace-mode', 'The policy', ['guard/sandbox/policy.ts', 'SandboxPolicy']],
] as [string, string, ...string[][]][])('%s, %s: every field', (page, heading, ...sources) => {
  const fields = sources.flatMap(([file = '', ...names]) => names.flatMap((name) => fieldsOf(file, name)))

  expect(namesUnder(page, heading).sort()).toEqual(fields.sort())
})

test.each([
  ['bash', bashOptionNames],
  ['suite', suiteOptionNames],
  ['exec', execOptionNames],
  ['run', runOptionNames],
])('docs/options.md: every option of %s', (column, names) => {
  const named = rowsUnder('docs/options', 'All options')
    .filter(([, of = '']) => of === 'all' || of.split(', ').includes(column))
    .map(([option = '']) => option.replaceAll('`', ''))

  expect(named.sort()).toEqual([...names].sort())
})

test('docs/tools.md: what BashOutput gives', () => {
  const [, , result = ''] =
    rowsUnder('docs/tools', 'The suite').find(([tool]) => tool === '`BashOutput`') ?? []

  expect([...result.matchAll(/\w+/g)].map(String)).toEqual(fieldsOf('commands/jobs/read.ts', 'JobOutput'))
})

const environment = readPage('docs/environment')

test.each([
  ['a rule by name', secretNameRules],
  ['a rule by value', secretValueRules],
  ['a variable that is never inherited', neverInherited],
  ['a default', nonInteractiveDefaults],
])('docs/environment.md names %s', (_, named) => {
  expect(named.map(({ name }) => name).filter((name) => !environment.includes(name))).toEqual([])
})
