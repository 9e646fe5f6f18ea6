// A first look lets a command pass only where reading it would, too.
import fc from 'fast-check'
import { findFirst } from '../../../lib/guard/safety/checker.js'
import {
  orderRules,
  type ResolvedCheckOptions,
  resolveCheckOptions,
} from '../../../lib/guard/safety/options.js'
import { isPlainlyAllowed } from '../../../lib/guard/safety/plain-text.js'
import type { SafetyRule } from '../../../lib/guard/safety/rule.js'
import { safetyRules } from '../../../lib/guard/safety/rules/table.js'
import { readCorpus } from './corpus.js'

const options: ResolvedCheckOptions = resolveCheckOptions({ workingDir: '/srv', terminal: false })

test.each(['echo hi', 'npm test && make -j2', 'cd src; ls -l | wc -l', 'A=1 node server.js &'])(
  '`%s` passes',
  (command) => {
    expect(isPlainlyAllowed(command, options)).toBe(true)
  },
)

test.each([
  'git add .',
  'sudo /usr/bin/git push --force',
  'cd /; rm -rf usr',
  'find . -delete',
  'vim file',
  'echo "hi"',
  'printf r%s m | sh',
  '$X -rf /',
  'r\\m -rf /',
  'echo {r,m}',
  `echo ${'x'.repeat(5000)}`,
])('`%s` is read', (command) => {
  expect(isPlainlyAllowed(command, options)).toBe(false)
})

test('with a rule of the host every command is read', () => {
  const rule: SafetyRule = { name: 'own', applies: () => null, explain: () => '' }

  expect(isPlainlyAllowed('echo hi', orderRules([...safetyRules, rule]))).toBe(false)
})

test('what the corpus refuses never passes', () => {
  const passes = ({ command }: { command: string }) => isPlainlyAllowed(command, options)

  expect(readCorpus('rejected').filter(passes)).toEqual([])
  expect(readCorpus('allowed').some(passes)).toBe(true)
})

const word = fc.constantFrom(
  ...[
    'git',
    'add',
    'push',
    '-f',
    '.',
    '-A',
    'rm',
    '-rf',
    '/',
    'find',
    '-delete',
    'vim',
    'top',
    'sudo',
    'xargs',
  ],
  ...[
    'echo',
    'printf',
    '%s',
    'sh',
    '-c',
    'env',
    'eval',
    'bash',
    'ls',
    'cd',
    '..',
    'time',
    'exec',
    'a=b',
    '/bin/rm',
  ],
)
const separator = fc.constantFrom(' ', ';', '&&', '||', '|', '&', '\n', '/', '=', '-', '')
const text = fc.array(fc.tuple(word, separator), { maxLength: 12 }).map((parts) => parts.flat().join(''))

test('whatever passes, reading it finds nothing', () => {
  fc.assert(
    fc.property(text, (command) => {
      if (isPlainlyAllowed(command, options)) expect(findFirst(command, options)).toBeUndefined()
    }),
    { numRuns: 5000 },
  )
})
