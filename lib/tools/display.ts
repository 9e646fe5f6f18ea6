// How a command is shown while nobody knows more of it than the context: in the log as its call comes in, and in the
// result of one that cannot run.

import { simplifyCommand } from '../output/simplify-command.js'
import type { SandboxMode } from '../run/result.js'
import type { BashSession } from '../session/session.js'
import type { ModeOptions } from './mode-options.js'

interface Place {
  workingDir: string
  sandbox: SandboxMode
  session?: BashSession | undefined
}

/**
 * With a session, which may be elsewhere when the turn of the call has come, commands are shown as they are.
 *
 * @param getPlace may throw, what it gives does not
 */
export function displayBeforehand(
  modeOptions: ModeOptions,
  getPlace: () => Place,
): (command: string) => string {
  return (command) => {
    try {
      const { workingDir, sandbox, session } = getPlace()
      if (session !== undefined) return command
      return simplifyCommand(command, workingDir, modeOptions[sandbox].environment.current().home)
    } catch {
      return command
    }
  }
}
