// Programs that list what is there, and whose options are many, or have to come in one form.

import type { Argument } from '../argument.js'
import { type Check, headOf, isSeveral, mayBeOption, notKnown, textIn } from '../objection.js'
import { fits, type OptionForm } from '../option-form.js'
import { names } from '../read-only/form.js'
import { show } from '../show.js'

export const rg: OptionForm = {
  flags: 'nilLcohHIuFPwvxNSsUa0pqV',
  values: 'AeBCEfgjmMrTtd',
  long: names(`
    files files-with-matches files-without-match count count-matches hidden no-ignore no-ignore-vcs no-heading heading
    line-number no-line-number ignore-case smart-case case-sensitive fixed-strings word-regexp invert-match only-matching
    multiline multiline-dotall pcre2 json vimgrep column stats text follow no-filename with-filename trim null type-list
    version quiet passthru no-messages no-config unrestricted pretty color debug line-regexp
  `),
  longValues: names(`
    glob iglob type type-not max-count max-depth context after-context before-context regexp file sort sortr replace
    max-columns threads max-filesize ignore-file encoding colors engine path-separator
  `),
  threads: ['j', 'threads'],
}

export const fd: OptionForm = {
  flags: 'HIsgapiLF0uq1',
  values: 'deEtSocj',
  long: names(`
    hidden no-ignore no-ignore-vcs case-sensitive ignore-case glob regex fixed-strings absolute-path follow full-path print0
    quiet version
  `),
  longValues: names(`
    max-depth min-depth type extension exclude size changed-within changed-before owner max-results color threads
    base-directory search-path exact-depth
  `),
  threads: ['j', 'threads'],
}

const treeForm: OptionForm = {
  flags: 'adflixqNQpugshDFrtcnCASJXv',
  values: 'LPI',
  long: names('dirsfirst noreport du prune gitignore inodes device matchdirs ignore-case si sort version'),
  longValues: names('filelimit charset timefmt'),
}

/** A value is the next argument, whatever is attached: the `o` of `-Lo 2 file` is an option that writes. */
export const tree: Check = (args) => {
  const fitting = fits(treeForm, args)
  if (typeof fitting === 'string') return notKnown(fitting)
  const isCluster = (argument: Argument) =>
    /^-[^-]*[LPI]./s.test(headOf(argument)) && !/^-[^-LPI]*L\d+$/.test(textIn(argument) ?? '')
  return args.some(isCluster) ? notKnown('has options behind one with a value') : null
}

/** Some versions write to the file. */
export const jq: Check = (args) =>
  args.some((argument) => /^-(?:[a-zA-Z]*i|-in-place)/.test(headOf(argument)))
    ? notKnown('may write to the file', 'writes')
    : null

/** Without `-n` it asks name servers about every connection that it lists. */
export const lsof: Check = (args) => {
  const fitting = fits({ flags: 'nPtal', values: 'ipu', optional: 's' }, args)
  if (typeof fitting === 'string') return notKnown(fitting)
  const hosts = fitting.options.some(
    ({ name, value }) => name === 'i' && textIn(value)?.includes('@') !== false,
  )
  if (hosts) return notKnown('may look up the name of a host', 'network')
  const has = (letter: string) => fitting.options.some(({ name }) => name === letter)
  return !has('n') ? notKnown('looks up the names of hosts: `-n` keeps it from that', 'network') : null
}

/** Without `-n` it asks name servers. */
export const netstat: Check = (args) => {
  const fitting = fits({ flags: 'natuxlpersiWgo46', max: 0 }, args)
  if (typeof fitting === 'string') return notKnown(fitting)
  return fitting.options.some(({ name }) => name === 'n')
    ? null
    : notKnown('looks up the names of hosts: `-n` keeps it from that', 'network')
}

/** Options are words of their own: `-in` is not `-i -n`. What would be a second operand is written to. */
export const xxd: Check = (args) => {
  let operands = 0
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] as Argument
    const text = textIn(argument)
    if (operands === 0 && text !== undefined && /^-(?:[abeEipuC]|ps|[cglos](?:0x)?[\da-fA-F]+)$/.test(text))
      continue
    if (operands === 0 && text !== undefined && /^-[cglos]$/.test(text)) {
      const value = textIn(args[++index])
      if (value === undefined || !/^[-+]?(?:0x)?[\da-fA-F]+$/.test(value))
        return notKnown('has an option that is not known')
      continue
    }
    operands++
    if (mayBeOption(argument) || isSeveral(argument) || operands > 1)
      return notKnown('may write to a file', 'writes')
  }
  return null
}

const encoding = /^[\w.:+-]+(?:\/\/(?:TRANSLIT|IGNORE)?)*$/

/** An encoding with a slash in it is a file, which may be compressed: that starts a program. */
export const iconv: Check = (args) => {
  const form: OptionForm = {
    flags: 'cls',
    values: 'ft',
    long: ['list'],
    longValues: names('from-code to-code'),
  }
  const fitting = fits(form, args)
  if (typeof fitting === 'string') return notKnown(fitting)
  const isFile = fitting.options.some(
    ({ value }) => value !== undefined && !encoding.test(textIn(value) ?? '/'),
  )
  return isFile ? notKnown('has an encoding that is not known') : null
}

/** An operand such as `@file` names a file of further options. */
export const strings: Check = (args) => {
  const fitting = fits(
    {
      flags: 'afwo',
      values: 'nte',
      nums: true,
      long: names('all print-file-name'),
      longValues: names('bytes radix encoding'),
    },
    args,
  )
  if (typeof fitting === 'string') return notKnown(fitting)
  return args.some((argument) => headOf(argument).startsWith('@') || headOf(argument) === '')
    ? notKnown('reads options from a file')
    : null
}

/** One argument of options, and then files. */
const afterMode =
  (isMode: (text: string) => boolean, why: string, mayNameHost: boolean): Check =>
  ([mode, ...files]) => {
    const text = textIn(mode)
    if (text === undefined || !isMode(text)) return notKnown(why, 'writes')
    for (const file of files) {
      if (mayBeOption(file)) return notKnown('a file may be an option')
      if (mayNameHost && (file.kind !== 'text' || file.text.includes(':')) && file === files[0]) {
        return notKnown('the archive may be on another machine', 'network')
      }
    }
    return null
  }

export const tar = afterMode(
  (text) => /^-?t[vzjJ]*f$|^-?[vzjJ]*t[vzjJ]*f$/.test(text),
  'extracts, or runs programs',
  true,
)
export const unzip = afterMode((text) => /^-(?:l|Z1?|v|lv|t)$/.test(text), 'extracts', false)
/** And bzip2, xz, zstd. With a `c` among them it prints. */
export const gzip = afterMode(
  (text) => /^-v*[lt][lvt]*$|^-[dkqv]*c[cdkqv]*$/.test(text),
  'replaces the file',
  false,
)

const versionOptions: ReadonlyMap<string, readonly string[]> = new Map([
  ['curl', ['--version', '-V']],
  ['lua', ['-v']],
  ['node', ['--version', '-v']],
  ['perl', ['--version', '-v']],
  ['php', ['--version', '-v']],
  ['python', ['--version', '-V']],
  ['python3', ['--version', '-V']],
  ['ruby', ['--version', '-v']],
])

export const version: Check = (args, _judging, program) => {
  if (asksVersion(args, program)) return null
  return program === 'curl'
    ? notKnown('reaches a network', 'network')
    : notKnown('runs code that is not known', 'executes')
}

function asksVersion([only, ...others]: readonly Argument[], program: string): boolean {
  const text = textIn(only)
  return (
    text !== undefined && (versionOptions.get(program) ?? ['--version']).includes(text) && others.length === 0
  )
}

/** `--check` parses a file, and does not run it. */
export const node: Check = (args, judging, program) => {
  const [option, file] = args
  const checks = ['--check', '-c'].includes(textIn(option) ?? '')
  return checks && file !== undefined && !mayBeOption(file) && headOf(file) !== ''
    ? null
    : version(args, judging, program)
}

/** The operands are names of variables that may be set. */
export function firstThatIsNoName(
  operands: readonly Argument[],
  isName: (name: string, value: string | undefined) => boolean,
): string | null {
  for (const operand of operands) {
    const text =
      operand.kind === 'unknown' || isSeveral(operand)
        ? ''
        : operand.kind === 'text'
          ? operand.text
          : operand.head
    const equals = text.indexOf('=')
    if (operand.kind !== 'text' && equals === -1) return 'sets a variable that is not known'
    const name = equals === -1 ? text : text.slice(0, equals).replace(/\+$/, '')
    const value =
      operand.kind === 'text' && text.charAt(equals - 1) !== '+' ? text.slice(equals + 1) : undefined
    if (!isName(name, equals === -1 ? '' : value)) return `sets ${show(name)}`
  }
  return null
}
