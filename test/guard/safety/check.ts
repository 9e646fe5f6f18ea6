// checkCommand() for a user at work.
import { type CheckOptions, checkCommand, type Verdict } from '../../../lib/index.js'

/** A directory of a user, and that user's home. */
export const options: CheckOptions = { workingDir: '/home/dev/project', home: '/home/dev' }

export const check = async (command: string, more: Partial<CheckOptions> = {}): Promise<Verdict> =>
  checkCommand(command, { ...options, ...more })
