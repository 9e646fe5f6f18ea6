// The check of a command before it runs: a guardrail against common mistakes, not a security boundary.

import { invalidInput } from '../../base/util/invalid-input.js'
import { part } from '../../base/util/load-part.js'
import type * as Checker from './checker.js'
import { type CheckOptions, type ResolvedCheckOptions, resolveCheckOptions } from './options.js'
import { isPlainlyAllowed } from './plain-text.js'
import type { Finding } from './rule.js'
import type { Verdict } from './verdict.js'

/**
 * Looks for commands that do damage by mistake: blind `git add`, forced `git push`, `rm -rf` of what matters. The text
 * is parsed, not searched: what is merely data, such as a commit message or a here-document for a file, is let through.
 *
 * @param command what bash is going to run
 * @returns the verdict; for a long command a promise of it, so that the event loop is not held up. `await` takes both.
 * @throws {BashError} ERR_INVALID_INPUT for arguments of the wrong kind; ERR_SAFETY_RULE when a rule of the host fails;
 *   ERR_WORKING_DIR when no directory is given, and that of this process is gone; ERR_SPAWN when no descriptor is left to load the parser, for the first check
 */
export function checkCommand(command: string, options: CheckOptions = {}): Verdict | Promise<Verdict> {
  if (typeof command !== 'string') throw invalidInput('command', 'must be a string', command)
  return checkWith(command, resolveCheckOptions(options))
}

/** The same with options that have been checked. */
export function checkWith(command: string, options: ResolvedCheckOptions): Verdict | Promise<Verdict> {
  if (isPlainlyAllowed(command, options)) return verdict(command, undefined)
  const found = checker().findFirst(command, options)
  return found instanceof Promise
    ? found.then((finding) => verdict(command, finding))
    : verdict(command, found)
}

/** Whether a script can be read to its end: a command that goes on in the next line cannot, nor can what is none. */
export const readsToEnd = (command: string): boolean => checker().readsToEnd(command)

function verdict(command: string, finding: Finding | undefined): Verdict {
  if (finding === undefined) return { allowed: true, rule: null, match: null, message: null }
  const { rule, message, start, end } = finding
  return { allowed: false, rule, match: { start, end, text: command.slice(start, end) }, message }
}

/** A quarter of the package: it is loaded for the first check. */
const checker = part((): typeof Checker => require('./checker.js'))
