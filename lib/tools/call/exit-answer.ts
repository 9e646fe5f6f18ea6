// What exit status 1 says of a call's command, where that is known. Loaded for a command that has failed with it.

import { exitAnswer } from '../../commands/run/exit-answer.js'
import type { BashResult } from '../../commands/run/result.js'
import { decodeText, freshState } from '../../commands/session/state.js'
import { stateOf } from '../modes.js'
import type { Call, Plan } from './call.js'

/** What would make of the name of a program something else, or end the shell by itself. */
const unsettling = /(?:^|\0)(?:BASHOPTS=|BASH_ENV=|BASH_FUNC_|POSIXLY_CORRECT=|SHELLOPTS=)/

/** Sets `answer` and `answerText`. Not of the exec tool's commands. */
export function addAnswer(
  { command, session }: Call,
  { environment, options }: Plan,
  result: BashResult,
): void {
  const { status, denied, limit, output } = result
  if (status !== 'failed' || denied !== undefined || limit !== undefined || options.separateStreams) return
  const { functions, aliases, set, shopt, variables } = session?.shellIn(stateOf(options)) ?? freshState
  if (set.on.length > 0 || shopt.on.length > 0 || variables.has('PATH')) return
  if (unsettling.test(environment.encoded.toString('latin1'))) return
  const defined = new Set([...functions.keys(), ...aliases.keys()].map(decodeText))
  Object.assign(result, exitAnswer(command, output, defined))
}
