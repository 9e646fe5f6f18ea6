// The environment of commands, made anew only when this process's own has changed.

import { workerThreads } from '../../base/util/lazy.js'
import { currentEngine } from '../engine/choose.js'
import { restrictedDefaults } from './defaults.js'
import type { EnvironmentOptions } from './environment-options.js'
import { filterWithValues, type Withheld } from './filter.js'

export interface EncodedEnvironment {
  /** Whether PWD is missing: it is the command's own matter, unless the caller has set it. */
  withoutPwd: boolean
  /** The value of BASH_ENV. */
  bashEnv: string | undefined
  /** `NAME=value` entries, each ended by a NUL. */
  encoded: Buffer
  /** Names of the variables that were withheld. */
  removed: readonly string[]
  /** Those of them that are secrets, with their values. Undefined: none. */
  withheld?: readonly Withheld[]
  /** The value of HOME. */
  home: string | undefined
  /** What the caller has set, which nothing replaces. Undefined: nothing. */
  given?: EnvironmentOptions['set']
  /**
   * What the environment is without start-up files, where it is one with them: a project's own must not move the paths that
   * a policy names by variables. Undefined: this one.
   */
  host?: EncodedEnvironment
}

/** What a sandbox changes. */
export interface EnvironmentChanges {
  /** Whether there is no network. */
  offline?: boolean
  /** Whether the command gets a TMPDIR of its own, so that the host's is left out. */
  ownTmpdir?: boolean
  /** Whether it has a terminal: programs may ask, and show what they like. */
  terminal?: boolean
}

/**
 * Reading `process.env` calls into Node once for each variable, and would be most of what a small command costs the
 * event loop. The native engine can tell in less than a microsecond whether anything has changed.
 */
export class CommandEnvironment {
  readonly #options: EnvironmentOptions
  readonly #changes: EnvironmentChanges
  #version = -1
  #current: EncodedEnvironment | undefined

  /** @param options checked, and not changed any more */
  constructor(options: EnvironmentOptions, changes: EnvironmentChanges = {}) {
    this.#options = options
    this.#changes = changes
  }

  /** Whether it is still to be completed by what start-up files set. */
  get login(): boolean {
    return this.#options.login === true
  }

  /** What it would be if these were the variables of this process. */
  of(source: Readonly<Record<string, string | undefined>>): EncodedEnvironment {
    return encode(source, this.#options, this.#changes)
  }

  current(): EncodedEnvironment {
    if (!isRealEnvironment(process.env)) return this.of(process.env)
    const version = currentEngine().environmentVersion()
    if (this.#current === undefined || version !== this.#version) {
      this.#current = this.of(process.env)
      this.#version = version
    }
    return this.#current
  }
}

/**
 * Whether a command gets a variable, and not an empty one.
 *
 * @param scratch what its TMPDIR is; undefined: it has none of its own
 */
export function hasVariable({ encoded }: EncodedEnvironment, scratch: unknown, name: string): boolean {
  if (scratch !== undefined && name === 'TMPDIR') return true
  const text = `\0${encoded.toString('latin1')}`
  const start = text.indexOf(`\0${name}=`)
  return start !== -1 && text[start + name.length + 2] !== '\0'
}

function encode(
  source: Readonly<Record<string, string | undefined>>,
  options: EnvironmentOptions,
  changes: EnvironmentChanges,
): EncodedEnvironment {
  const { env: filtered, removed, withheld } = filterWithValues(source, options, changes.terminal)
  const env = changes.offline ? { ...restrictedDefaults, ...filtered } : filtered
  if (changes.ownTmpdir) delete env.TMPDIR
  if (isTakenForLogin(env)) env.SHLVL = '1'
  const isLeftOut = (name: string) =>
    options.inherit !== 'all' && hostDirectories.has(name) && options.set?.[name] === undefined
  let text = ''
  for (const name in env) {
    if (!isLeftOut(name)) text += `${name}=${env[name]}\0`
  }
  return {
    encoded: Buffer.from(text),
    removed,
    withoutPwd: isLeftOut('PWD'),
    bashEnv: env.BASH_ENV,
    home: env.HOME,
    ...(options.set === undefined ? {} : { given: options.set }),
    ...(withheld.length === 0 ? {} : { withheld }),
  }
}

/**
 * Whether bash would take itself for the shell of a remote login and read ~/.bashrc before the command: in a host that
 * was started by `ssh machine 'node agent.js'`, with no shell above it (bash(1), INVOCATION; Debian builds it so).
 */
function isTakenForLogin({ SSH_CLIENT, SSH2_CLIENT, SHLVL }: NodeJS.ProcessEnv): boolean {
  return (SSH_CLIENT ?? SSH2_CLIENT) !== undefined && !(Number(SHLVL) >= 1)
}

/** Where the host is and was: `cd -` and `pwd` of a command must not tell. */
const hostDirectories: ReadonlySet<string> = new Set(['PWD', 'OLDPWD'])

let known: { object: NodeJS.ProcessEnv; real: boolean } | undefined

/**
 * Whether `process.env` shows the C library's environment. A worker has a copy, and test frameworks put a plain object
 * in its place. The real one refuses accessors (ERR_INVALID_OBJECT_DEFINE_PROPERTY), a plain object takes them.
 */
function isRealEnvironment(env: NodeJS.ProcessEnv): boolean {
  if (!workerThreads().isMainThread) return false
  if (known?.object !== env) known = { object: env, real: refusesAccessors(env) }
  return known.real
}

function refusesAccessors(env: NodeJS.ProcessEnv): boolean {
  const name = 'BASHWARD_PROBE'
  try {
    Object.defineProperty(env, name, { get: () => undefined, configurable: true })
  } catch {
    return true
  }
  delete env[name]
  return false
}
