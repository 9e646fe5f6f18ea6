// What a command's output says of what it was refused, as a phrase.
import { callsOf, toldCause, untoldCause } from '../../../lib/guard/sandbox/denial.js'
import { causes } from '../../../lib/guard/sandbox/denial-patterns.js'

/**
 * @param output what the command printed
 * @param exitCode null when it did not run to its end
 * @param scratch whether it had a directory to write to
 */
export const probableCause = (
  output: string,
  exitCode: number | null,
  command = '',
  scratch = false,
): string | undefined => {
  const examined = { output, exitCode, command, calls: callsOf(command) }
  const found = toldCause(examined) ?? untoldCause(examined, scratch)
  return found === undefined ? undefined : causes[found.cause]
}
