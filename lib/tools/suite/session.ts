// The session of a suite.

import { BashSession } from '../../session/session.js'

/** Begins with the first call, in the directory of that call. */
export class SuiteSession {
  #session: BashSession | undefined

  get(workingDir: string): BashSession {
    this.#session ??= new BashSession({ workingDir })
    return this.#session
  }
}
