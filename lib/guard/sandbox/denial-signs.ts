// What calls for a look at an output, or at the text of a command: of most there is nothing to be said, and then the rest
// is not even loaded.

import * as say from './denial-patterns.js'

/** Characters in which a refusal is looked for: of a success fewer, for most have met none. */
const afterFailure = 256 * 1024
const afterSuccess = { head: 16 * 1024, tail: 48 * 1024 }

/** The part of an output in which a refusal is looked for. */
export function searchedIn(output: string, exitCode: number | null): string {
  const { head, tail } = afterSuccess
  if (exitCode !== 0) return output.slice(-afterFailure)
  return output.length > head + tail ? `${output.slice(0, head)}\n${output.slice(-tail)}` : output
}

/** Lines worth looking at: all that the patterns of a refusal can fit. */
export const suspicious = new RegExp(
  [
    say.accessDenied,
    say.notPermitted,
    say.readOnly,
    say.crossDevice,
    say.unwritable,
    say.noTerminal,
    say.noPrivileges,
    say.unreachable,
    say.hereDocumentLost,
  ]
    .map(({ source }) => source)
    .join('|'),
  'im',
)

const quiet =
  /\b(?:curl|wget|nc|ncat|netcat|telnet|getent|vim?|ex|stash)\b|\b(?:apt|apt-cache|apt-get|aptitude)\b.{0,999}2>|\/dev\/(?:tcp|udp)\/\S/

/** Programs that keep in a file what they read, and how their errors may be hidden. */
const spills = /\b(?:g?sort|tac)\b/
const hides = /2>|&>|>&|\|&/

/** Whether a command can be refused something and not say so. Most cannot. */
export function mayBeSilent(command: string): boolean {
  return quiet.test(command) || (spills.test(command) && hides.test(command))
}
