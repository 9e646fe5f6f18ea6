// What may start processes without end, and so take the machine down though each of them only reads: functions that call
// functions, and loops that leave processes behind.

import { baseName } from '../safety/paths.js'
import type { Script } from '../safety/script/script.js'
import { programs } from './read-only/programs.js'
import { show } from './show.js'

/** bash calls it for a program that it does not find. */
const calledByBash = 'command_not_found_handle'

/**
 * Only what is known by its name is allowed, so a function is called unasked only where it bears the name of a program.
 * Then it may call itself, or another one that a later command defines: its body was judged as if it called the program.
 *
 * @param isAllowed whether a rule of the host is about the program
 * @returns why the functions of the script are not known to only read; null: there are none that matter
 */
export function functionsMultiply(
  { functions }: Script,
  isAllowed: (program: string) => boolean,
): string | null {
  for (const written of functions) {
    const name = written.replaceAll('\\\n', '')
    if (/[\\'"`$]/.test(name)) return 'defines a function with an unusual name'
    const program = baseName(name)
    if (name === calledByBash || programs.has(program) || isAllowed(program))
      return `defines ${show(name)} as a function, which may be called without end`
  }
  return null
}

const loop = /(?:^|[;&|\n(){}!`]|\b(?:do|then|else|if|elif|while|until))\s*(?:while|until|for|select)\b/
/** Not `&&`, `>&`, `<&` and `&>`. */
const background = /(?<![&<>])&(?![&>])/
const processSubstitution = /[<>]\(/
const loopWords = /\b(?:while|until|for|select)\b/g
const inputOfLoop = /\bdone\s*<\s*<\(/

export const isLoop = (text: string): boolean => loop.test(text)

/** Whether a command of the text is left in the background. */
export const leavesBackground = (text: string): boolean => background.test(text)

/** Whether a command of the text may still run when the next one begins. What the only loop reads from runs once. */
export function leavesProcesses(text: string): boolean {
  const loops = text.match(loopWords)?.length ?? 0
  const repeated = loops === 1 ? text.replace(inputOfLoop, 'done (') : text
  return background.test(text) || processSubstitution.test(repeated)
}
