// A full-screen program without a terminal: it would run until its timeout, and tell nobody why.

import { type Argument, type CheckedCommand, type SafetyRule, unknownText } from '../rule.js'
import { describe } from './describe.js'
import { isDirectCall } from './direct-call.js'
import { type FullScreenProgram, fullScreenPrograms } from './full-screen-programs.js'

/** Characters. Longer scripts are let through: looking around in them for each command would take long. */
const maxScript = 4096

const programName = new RegExp(`\\b(?:${[...fullScreenPrograms.keys()].join('|').replaceAll('.', '\\.')})\\b`)

/** Costs next to nothing; hardly a command names one of these programs. */
export function mayNeedTerminal(script: string): boolean {
  return script.length <= maxScript && programName.test(script)
}

/** The programs of the system, and not a script of the same name in the project. */
const systemProgram = /^(?:\/(?:usr\/)?(?:local\/)?s?bin\/)?[\w.-]+$/

function waitingProgram({ program, words, script }: CheckedCommand): FullScreenProgram | undefined {
  const found = fullScreenPrograms.get(program)
  if (found === undefined || script === undefined) return undefined
  const [name, ...args] = words
  const span = { start: name.start, end: words.at(-1)?.end ?? name.end }
  const isKnown = name.source === name.text && systemProgram.test(name.text) && !args.some(mayBeOptions)
  return isKnown && found.waits(args) && isDirectCall(script, span) ? found : undefined
}

/** As `$OPTIONS` may be, and `*`, but hardly `"$file"`. */
function mayBeOptions({ text, source }: Argument): boolean {
  return /^[$*?[{`]/.test(source) || (text.startsWith(unknownText) && !source.startsWith('"'))
}

export const needsTerminal: SafetyRule = {
  name: 'needs-terminal',
  applies: (command) => (waitingProgram(command) === undefined ? null : command.words[0]),
  explain: (command) => {
    const { instead } = waitingProgram(command) as FullScreenProgram
    return `${describe(command.words)} needs a terminal, and there is none: it would run until its timeout. Instead, ${instead}.`
  },
}
