// Programs whose exit status 1 is an answer, and what it says.

import { baseName } from '../../guard/safety/paths.js'

export type Answer = 'no-match' | 'differs' | 'false'

export interface Answered {
  answer: Answer
  /** For the model: `grep: no line matched`. */
  answerText: string
}

interface Program {
  answer: Answer
  says: string
  /** Options with which status 1 says something else. */
  not?: RegExp
  /** One of which has to be there. */
  only?: RegExp
}

/** Of options like `-rv`. */
const inverted = /^(?:-[A-Za-z]*v[A-Za-z]*|--invert-match)$/

const search = { answer: 'no-match', says: 'no line matched' } as const
const grep = { ...search, not: /^(?:-[A-Za-z]*L|--files-without|--help|-V$)/ }
const check = { answer: 'false', says: 'the condition is false' } as const

const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  ['grep', grep],
  ['egrep', grep],
  ['fgrep', grep],
  ['rg', { ...search, not: /^--(?:files|type-list|pcre2-version|generate)/ }],
  ['git grep', { ...search, not: /^(?:-[A-Za-z]*[LO]|--files-without|--open-files)/ }],
  ['pgrep', { answer: 'no-match', says: 'no process matched' }],
  // With other options it may be that they are wrong.
  ['which', { answer: 'no-match', says: 'not found on PATH', not: /^-(?!a$)/ }],
  ['diff', { answer: 'differs', says: 'the files differ' }],
  ['cmp', { answer: 'differs', says: 'the files differ' }],
  [
    'git diff',
    {
      answer: 'differs',
      says: 'there are differences',
      only: /^--(?:exit-code|quiet)$/,
      not: /^--no-index$/,
    },
  ],
  ['test', check],
  ['[', check],
])

/** @param words the command and its arguments */
export function answerOf(words: readonly string[]): Answered | undefined {
  const { name, args } = readName(words)
  const program = programs.get(name)
  if (program === undefined) return undefined
  const { answer, says, not, only } = program
  // What follows `--`, and the value of an option, may look like one: then nothing is said.
  if (not !== undefined && args.some((arg) => not.test(arg))) return undefined
  if (name === 'which' && args.length === 0) return undefined
  if (only !== undefined && !args.some((arg) => only.test(arg))) return undefined
  if (says === search.says && args.some((arg) => inverted.test(arg))) {
    return { answer, answerText: `${name}: no line is without a match` }
  }
  const what =
    name === 'which' && args.filter((arg) => !arg.startsWith('-')).length > 1 ? 'not all found on PATH' : says
  return { answer, answerText: `${name === '[' ? 'test' : name}: ${what}` }
}

const ofSystem = /^\/(?:usr\/(?:local\/)?)?bin\//

/** For git with the subcommand. */
function readName([first = '', ...rest]: readonly string[]): { name: string; args: readonly string[] } {
  // A project's own `./test` may mean anything by it.
  const name = !first.includes('/') || ofSystem.test(first) ? baseName(first) : ''
  if (name !== 'git') return { name, args: rest }
  let at = 0
  while (rest[at]?.startsWith('-')) at += rest[at] === '-C' || rest[at] === '-c' ? 2 : 1
  return { name: `git ${rest[at] ?? ''}`, args: rest.slice(at + 1) }
}
