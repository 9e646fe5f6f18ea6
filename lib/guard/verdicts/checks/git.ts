// git: the sub-commands that only read. Many of them run what the configuration of a repository names (fsmonitor, filters,
// textconv, external diffs, hooks), which is told: the caller decides whether to trust it, or runs them in a sandbox.

import type { Argument } from '../argument.js'
import {
  type Check,
  headOf,
  type Judging,
  mayBeOption,
  notKnown,
  type Objection,
  textIn,
} from '../objection.js'
import { type Fitting, fits, type OptionForm } from '../option-form.js'
import { names } from '../read-only/form.js'
import { type GitForm, gitForms } from '../read-only/git.js'
import { show } from '../show.js'
import { isPlainOption } from './git-formats.js'

const own: OptionForm = {
  flags: 'P',
  values: 'C',
  long: names('no-pager no-optional-locks literal-pathspecs no-replace-objects version'),
  stops: true,
}

const reaching = new Set(names('clone fetch ls-remote pull push'))

export const git: Check = (args, judging) => {
  judging.noteGit()
  const fitting = fits(own, args)
  if (typeof fitting === 'string') return notKnown(fitting)
  for (const { name, value } of fitting.options) {
    const directory = textIn(value)
    if (name === 'C' && directory !== '.' && directory !== judging.workingDir) judging.noteOtherDirectory()
  }
  const [sub, ...rest] = fitting.operands
  if (sub === undefined) return null
  const name = textIn(sub)
  const form = name === undefined ? undefined : gitForms.get(name)
  if (name === undefined || form === undefined) return unknownSubCommand(name)
  return judgeForm(form, name, rest, judging)
}

function unknownSubCommand(name: string | undefined): Objection {
  if (name === undefined) return notKnown('has a sub-command that is not known')
  return reaching.has(name)
    ? notKnown(`${show(name)} reaches a network`, 'network')
    : notKnown(`${show(name)} is not known to only read`, 'writes')
}

function judgeForm(
  form: GitForm,
  name: string,
  args: readonly Argument[],
  judging: Judging,
): Objection | null {
  // An alias, a partial clone, an included file: there is no sub-command that its configuration does not reach.
  if (name !== 'version') judging.noteRepository()
  const fitting = form.options === 'any' ? { operands: [...args], options: [] } : fits(form.options, args)
  if (typeof fitting === 'string') return notKnown(`${name}: ${fitting}`)
  if (mayStartPrograms(name, fitting))
    return notKnown(`${name} has a format that may run gpg, which checks signatures`, 'executes')
  const wrong = checks[name]?.(fitting.operands, new Set(fitting.options.map((option) => option.name)))
  return wrong ? notKnown(`${name} ${wrong}`, 'writes') : null
}

const mayStartPrograms = (command: string, { options }: Fitting) =>
  options.some((option) => !isPlainOption(command, option))

/** @returns what it does else; undefined: it reads */
type GitCheck = (operands: readonly Argument[], options: ReadonlySet<string>) => string | undefined

const hasAny = (options: ReadonlySet<string>, wanted: readonly string[]) =>
  wanted.some((name) => options.has(name))

const listing =
  (wanted: readonly string[], why: string): GitCheck =>
  (operands, options) =>
    operands.length > 0 && !hasAny(options, wanted) ? why : undefined

const checks: Record<string, GitCheck> = {
  apply: (_operands, options) =>
    hasAny(options, names('stat numstat summary check')) ? undefined : 'changes files',
  branch: listing(names('l list contains no-contains merged no-merged points-at'), 'creates a branch'),
  tag: listing(names('l list n contains no-contains merged no-merged points-at'), 'creates a tag'),
  config(operands, options) {
    const [first] = operands
    const asks = hasAny(options, names('get get-all get-regexp list l'))
    const isVerb = ['get', 'list'].includes(textIn(first) ?? '')
    // Its options end at the first operand: what looks like one behind it is a value.
    if (operands.slice(1).some((operand) => operand.kind !== 'text' || headOf(operand).startsWith('-')))
      return 'may set a value'
    if (asks) return operands.length > 2 ? 'may set a value' : undefined
    if (isVerb) return operands.length > 2 ? 'may set a value' : undefined
    const isName = /^[\w-]+(?:\.[\w.-]+)+$/.test(textIn(first) ?? '')
    return operands.length === 1 && isName ? undefined : 'sets a value'
  },
  reflog(operands) {
    const [first] = operands
    if (first === undefined) return undefined
    const verb = textIn(first)
    return verb === undefined || names('expire delete drop write').includes(verb)
      ? 'changes the reflog'
      : undefined
  },
  remote(operands) {
    const isUrl = operands.length === 2 && textIn(operands[0]) === 'get-url'
    return operands.length === 0 || isUrl ? undefined : 'changes remotes, or asks them'
  },
  'rev-parse': (operands) =>
    operands.some(
      (operand) =>
        /^--(?:parseopt|sq-quote|show-superproject-working-tree)/.test(headOf(operand)) ||
        (operand.kind !== 'text' && mayBeOption(operand)),
    )
      ? 'is not known to only read'
      : undefined,
  stash(operands) {
    const [verb, ...rest] = operands
    if (!['list', 'show'].includes(textIn(verb) ?? '')) return 'changes the stash'
    const shown = gitForms.get('log')?.options
    const fitting = shown === undefined || shown === 'any' ? 'options' : fits(shown, rest)
    return typeof fitting === 'string' || mayStartPrograms('log', fitting)
      ? 'has options that are not known to only read'
      : undefined
  },
  worktree(operands) {
    const [verb, option, ...others] = operands
    const isList = textIn(verb) === 'list' && (option === undefined || textIn(option) === '--porcelain')
    return isList && others.length === 0 ? undefined : 'changes worktrees'
  },
}
