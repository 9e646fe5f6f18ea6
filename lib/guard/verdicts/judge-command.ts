// What may be said of a command before it runs: allow, ask or deny.

import { type Checks, checkOptions, optional } from '../../base/util/check-options.js'
import { homeDirectory, resolveDirectory } from '../../base/util/directories.js'
import { checkAbsolutePath, checkType, invalidInput } from '../../base/util/invalid-input.js'
import { part } from '../../base/util/load-part.js'
import { synonymHint } from '../../base/util/unknown-field.js'
import type { JudgeOptions } from './judge-options.js'
import type * as JudgeText from './judge-text.js'
import type { Judgement } from './judgement.js'
import { checkPolicy } from './policy/check-policy.js'
import { noPolicy } from './policy/policy.js'

const checks = {
  workingDir: optional(checkAbsolutePath),
  home: (field, home) => checkType<string>(field, home, 'string'),
  default: checkDefault,
  policy: (field, policy) => checkPolicy(field, policy) ?? noPolicy,
} as const satisfies Checks<JudgeOptions>

function checkDefault(field: string, value: unknown = 'ask'): 'ask' | 'deny' {
  if (value === 'ask' || value === 'deny') return value
  throw invalidInput(field, 'must be one of ask, deny', value)
}

const optionMeant = synonymHint({ workingDir: ['cwd', 'workingdirectory', 'dir', 'directory'] })

/**
 * Says whether a command may run without asking somebody.
 *
 * - `allow`: every command in the text is known to change no file, to reach no network and to start no program but those
 *   that it names. `repository`: it may start what the configuration of the repository names, as `git status` does.
 * - `deny`: a safety rule refuses it, see {@link checkCommand}, or a rule of the policy.
 * - `ask`: everything else. What is not known asks.
 *
 * It is about the text: it looks at no file, and runs nothing. It is no boundary by itself; Restricted mode is one.
 * That a command only reads does not make it harmless: `cat ~/.ssh/id_rsa` is allowed.
 * Programs such as `sort` may write temporary files to `$TMPDIR`.
 *
 * @param command what bash is going to run, in a new shell
 * @returns the judgement; for a long command a promise of it, so that the event loop is not held up. `await` takes both.
 * @throws {BashError} ERR_INVALID_INPUT for arguments of the wrong kind; ERR_WORKING_DIR when no directory is given, and
 *   that of this process is gone
 */
export function judgeCommand(command: string, options: JudgeOptions = {}): Judgement | Promise<Judgement> {
  if (typeof command !== 'string') throw invalidInput('command', 'must be a string', command)
  const given = checkOptions(options, checks, Object.keys(checks), optionMeant)
  return judge().judgeText(command, {
    workingDir: given.workingDir ?? resolveDirectory('workingDir', '.'),
    home: given.home ?? homeDirectory(),
    default: given.default,
    policy: given.policy,
  })
}

/** A quarter of the package: it is loaded for the first judgement. */
const judge = part((): typeof JudgeText => require('./judge-text.js'))
