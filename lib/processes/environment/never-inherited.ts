// Variables of the host that would change how the command's own shell works, or call on a person at the host's
// terminal. They hold no secret, and no option lets them through: `set` is there for who really wants one.

/** A variable that is never inherited. */
export interface NeverInheritedVariable {
  name: string
  /** Why it is not inherited, for documentation. */
  reason: string
}

/** Source: bash(1), "Shell Variables" and "INVOCATION"; the manuals of the programs named. */
export const neverInherited: readonly NeverInheritedVariable[] = [
  { name: 'BASH_ENV', reason: 'bash would run this file before each command' },
  { name: 'ENV', reason: 'sh, and bash in POSIX mode, would run this file' },
  { name: 'PROMPT_COMMAND', reason: 'commands for an interactive prompt' },
  { name: 'PS4', reason: 'is expanded, with the commands in it, for each line under set -x' },
  { name: 'SHELLOPTS', reason: 'would switch on shell options of the host: errexit, xtrace, noexec' },
  { name: 'BASHOPTS', reason: 'would switch on shopt options of the host' },
  { name: 'POSIXLY_CORRECT', reason: 'puts bash into POSIX mode, in which it knows less' },
  { name: 'POSIX_PEDANTIC', reason: 'the same, by an older name' },
  { name: 'BASH_XTRACEFD', reason: 'names a descriptor that only the host has' },
  { name: 'CDPATH', reason: 'sends `cd dir` to another directory, and prints it' },
  { name: 'GLOBIGNORE', reason: 'hides files from `*`' },
  { name: 'EXECIGNORE', reason: 'hides programs from the search in PATH' },
  { name: 'TMOUT', reason: 'makes `read` give up' },
  { name: 'SUDO_ASKPASS', reason: 'opens a password window' },
  { name: 'SUDO_EDITOR', reason: 'would be used before EDITOR' },
  { name: 'SYSTEMD_EDITOR', reason: 'would be used before EDITOR' },
  { name: 'KUBE_EDITOR', reason: 'would be used before EDITOR' },
  { name: 'GH_EDITOR', reason: 'would be used before EDITOR' },
  { name: 'JJ_EDITOR', reason: 'would be used before EDITOR' },
  { name: 'HGEDITOR', reason: 'would be used before EDITOR' },
  { name: 'SVN_EDITOR', reason: 'would be used before EDITOR' },
  { name: 'FCEDIT', reason: 'would be used before EDITOR' },
]

/** bash turns a variable with this prefix into a function: `BASH_FUNC_name%%`. */
const exportedFunctionPrefix = 'BASH_FUNC_'

const names: ReadonlySet<string> = new Set(neverInherited.map((variable) => variable.name))

/** Whether this variable is never inherited. */
export function isNeverInherited(name: string): boolean {
  return names.has(name) || name.startsWith(exportedFunctionPrefix)
}
