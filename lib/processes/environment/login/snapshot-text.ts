// What a login shell is told to do, and what it answers: its environment, apart from all that start-up files print.

import { quote } from '../../../base/util/bash-quotes.js'

export type Variables = Readonly<Record<string, string>>

/**
 * The text for the shell that starts the login shell. What start-up files print goes nowhere; the answer has a descriptor of
 * its own. The last words are an exec: neither an EXIT trap nor ~/.bash_logout has a part in this.
 *
 * Hooks for a prompt come first, which is how direnv and mise set what belongs to a directory: here there is no prompt.
 *
 * @param word nobody can guess, and nothing prints by chance
 */
export function snapshotCommand(shell: string, word: string): string {
  const hooks = `\\builtin set +eu; for ${hook} in "\${PROMPT_COMMAND[@]}"; do \\builtin eval "$${hook}"; done; \\builtin unset ${hook}`
  const answer = `\\builtin printf '\\0%s\\0' ${word} >&`
  return [
    // Found before start-up files can move PATH.
    `${program}=$(command -pv env) && exec {${descriptor}}>&1 >/dev/null 2>&1 || exit 125`,
    `exec ${quote(shell)} -lic ${quote(`${hooks}; ${answer}`)}"$${descriptor}; "${quote('\\builtin exec ')}"$${program} -0 >&$${descriptor}"`,
  ].join('\n')
}

const hook = '__bashward_hook'
const program = '__bashward_program'
const descriptor = '__bashward_descriptor'

/** @returns undefined when the answer is not there */
export function readSnapshot(output: Buffer, word: string): Variables | undefined {
  const mark = `\0${word}\0`
  const start = output.indexOf(mark)
  if (start === -1) return undefined
  const variables = Object.create(null) as Record<string, string>
  for (const entry of output.toString('utf8', start + mark.length).split('\0')) {
    const end = entry.indexOf('=')
    if (end > 0) variables[entry.slice(0, end)] = entry.slice(end + 1)
  }
  return variables
}
