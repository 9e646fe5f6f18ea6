// A full-screen program without a terminal: it would run until its timeout, and tell nobody why.

import { baseName } from '../paths.js'
import { type Argument, type CheckedCommand, type SafetyRule, unknownText } from '../rule.js'
import { describe } from './describe.js'
import { isDirectCall } from './direct-call.js'
import { type FullScreenProgram, fullScreenPrograms } from './full-screen-programs.js'

/** Characters. Longer scripts are let through: looking around in them for each command would take long. */
const maxScript = 4096

const programName = new RegExp(`\\b(?:${[...fullScreenPrograms.keys()].join('|').replaceAll('.', '\\.')})\\b`)

/** A cheap first look: hardly any command names one of these programs. */
export function mayNeedTerminal(script: string): boolean {
  return script.length <= maxScript && programName.test(script)
}

/** The programs of the system, and not a script of the same name in the project. */
const systemProgram = /^(?:\/(?:usr\/)?(?:local\/)?s?bin\/)?[\w.-]+$/

function waitingProgram({ program, words, script }: CheckedCommand): FullScreenProgram | undefined {
  if (script === undefined) return undefined
  const [name, ...args] = words
  const found = shellRuns.has(program) ? inShell(words) : waitsWith(name, args)
  if (found === undefined) return undefined
  const span = { start: name.start, end: words.at(-1)?.end ?? name.end }
  return isDirectCall(script, { ...span, readsStderr: found.readsStderr ?? false }) ? found : undefined
}

function waitsWith(name: Argument, args: readonly Argument[]): FullScreenProgram | undefined {
  const found = fullScreenPrograms.get(baseName(name.text))
  if (found === undefined || name.source !== name.text || !systemProgram.test(name.text)) return undefined
  return !args.some(mayBeOptions) && found.waits(args) ? found : undefined
}

/** Which arguments come before the text that they run. */
const shellRuns = new Map([
  ...['bash', 'dash', 'sh'].map((name): [string, RegExp] => [name, /^-[el]*c$/]),
  ['eval', /^$/],
])

/** Commands one after the other, without quotes and expansions. */
const plainScript = /^[\w\s./=+:;&-]*$/

/** `bash -c 'cd src && vim x'` */
function inShell(words: CheckedCommand['words']): FullScreenProgram | undefined {
  const [{ text: name }, ...args] = words
  const option = args.length === 2 ? args[0]?.text : ''
  const { text = '' } = args.at(-1) ?? {}
  if (args.length > 2 || !shellRuns.get(name)?.test(option ?? '') || !plainScript.test(text)) return undefined
  for (const match of text.matchAll(/[^\s;&][^;\n&]*/g)) {
    const call = match[0].trimEnd()
    const span = { start: match.index, end: match.index + call.length, readsStderr: false }
    const [program, ...rest] = call.split(/\s+/).map(literal)
    const found = program && waitsWith(program, rest)
    if (found && isDirectCall(text, span)) return found
  }
  return undefined
}

function literal(text: string): Argument {
  return { text, source: text, pattern: null, start: 0, end: 0 }
}

/** As `$OPTIONS` may be, and `*`, but hardly `"$file"` and `*.txt`. */
function mayBeOptions({ text, source, pattern }: Argument): boolean {
  if (pattern !== null && /^[*?[](?!\.)/.test(pattern)) return true
  return text.startsWith(unknownText) && !source.startsWith('"')
}

export const needsTerminal: SafetyRule = {
  name: 'needs-terminal',
  refuses: 'vim, watch, top and the like (there is no terminal)',
  applies: (command) => (waitingProgram(command) === undefined ? null : command.words[0]),
  explain: (command) => {
    const instead = waitingProgram(command)?.instead
    return `${describe(command.words)} needs a terminal, and there is none: it would run until its timeout. Instead, ${instead}.`
  },
}
