// The environment of commands that get what start-up files set: filtered as the host's own.

import { CommandEnvironment, type EncodedEnvironment } from '../command-environment.js'
import type { Withheld } from '../filter.js'
import { rememberWithheld } from '../login-secrets.js'
import { isNeverInherited } from '../never-inherited.js'
import type { Variables } from './snapshot-text.js'

/**
 * What is the login shell's own. DIRENV_DIFF and __MISE_DIFF hold the values of all variables that a project sets,
 * compressed: with them in a command the filter would have been for nothing.
 */
const ownNames: ReadonlySet<string> = new Set([
  ...['PWD', 'OLDPWD', 'SHLVL', '_', 'PS0', 'PS1', 'PS2', 'PS3', 'COLUMNS', 'LINES', 'HISTFILE'],
  ...['DIRENV_DIFF', 'DIRENV_DIR', 'DIRENV_FILE', 'DIRENV_WATCHES', '__MISE_DIFF', '__MISE_SESSION'],
])

/** Whether a variable comes from the host alone, if at all. */
export const isShellsOwn = (name: string): boolean =>
  ownNames.has(name) || isNeverInherited(name) || name.startsWith('__bashward_')

const made = new WeakMap<Variables, WeakMap<CommandEnvironment, LoginEnvironment>>()

/** The same one for the same variables: what is worked out of it stays known. */
export function loginEnvironmentOf(base: CommandEnvironment, variables: Variables): LoginEnvironment {
  const known = made.get(variables) ?? new WeakMap<CommandEnvironment, LoginEnvironment>()
  made.set(variables, known)
  const environment = known.get(base) ?? new LoginEnvironment(base, variables)
  known.set(base, environment)
  return environment
}

export class LoginEnvironment extends CommandEnvironment {
  readonly #base: CommandEnvironment
  readonly #variables: Variables
  #host: EncodedEnvironment | undefined
  #joined: EncodedEnvironment | undefined

  /** @param variables of a shell that had the environment of `base` in its beginning */
  constructor(base: CommandEnvironment, variables: Variables) {
    super({})
    this.#base = base
    this.#variables = variables
  }

  override current(): EncodedEnvironment {
    const host = this.#base.current()
    if (this.#joined === undefined || host !== this.#host) {
      this.#host = host
      this.#joined = join(host, this.#base.of(this.#source()))
      rememberWithheld(this.#joined.withheld ?? [])
    }
    return this.#joined
  }

  #source(): Record<string, string | undefined> {
    const source = Object.create(null) as Record<string, string | undefined>
    const hosts = process.env
    for (const name of Object.keys(hosts)) if (isShellsOwn(name)) source[name] = hosts[name]
    for (const [name, value] of Object.entries(this.#variables)) if (!isShellsOwn(name)) source[name] = value
    source.PATH = joinedPath(source.PATH, hosts.PATH)
    return source
  }
}

/**
 * /etc/profile usually begins PATH anew. What this process has besides comes last: its own programs may be there.
 */
function joinedPath(own: string | undefined, hosts: string | undefined): string | undefined {
  if (own === undefined || hosts === undefined) return own
  const first = own.split(':')
  const rest = hosts.split(':').filter((directory) => directory !== '' && !first.includes(directory))
  return [...first, ...rest].join(':')
}

/** The shell was not given what is withheld of the host's variables: that is withheld still. */
function join(host: EncodedEnvironment, own: EncodedEnvironment): EncodedEnvironment {
  const given = new Map(
    own.encoded
      .toString()
      .split('\0')
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)] as const),
  )
  const values = new Set(given.values())
  const removed = [...new Set([...host.removed, ...own.removed])].filter((name) => !given.has(name)).sort()
  const withheld: Withheld[] = [...(host.withheld ?? []), ...(own.withheld ?? [])].filter(
    ([, value]) => !values.has(value),
  )
  const { withheld: _, ...others } = own
  return { ...others, removed, host, ...(withheld.length === 0 ? {} : { withheld }) }
}
