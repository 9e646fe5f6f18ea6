// The environment that a command gets: the host's, without its secrets, with defaults for a shell nobody sits at.

import { invalidInput } from '../../base/util/invalid-input.js'
import { nonInteractiveDefaults, ofOtherTerminals, terminalType } from './defaults.js'
import {
  checkEnvironmentOptions,
  type EnvironmentOptions,
  isPassable,
  isPassableName,
} from './environment-options.js'
import { withoutRelativeLibraries } from './loader-paths.js'
import { isNeverInherited } from './never-inherited.js'
import { findSecretNameRule, findSecretValueRule, isEssentialName } from './secrets.js'

export interface FilteredEnvironment {
  /** What to start the command with. An object without a prototype. */
  env: Record<string, string>
  /** Names of the source's variables that `env` does not have, sorted. Never a value. */
  removed: string[]
}

/** A variable that was taken out because it is, or may be, a secret. */
export type Withheld = readonly [name: string, value: string]

/**
 * Makes the environment of a command out of the host's. What comes later wins: the source and its filter, the
 * non-interactive defaults, `options.set`.
 *
 * @param source usually `process.env`; it is read once and not changed
 * @param options see {@link EnvironmentOptions}; default `{ inherit: 'filtered' }`
 * @throws {BashError} ERR_INVALID_INPUT for options or a source of the wrong type
 */
export function filterEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  options: EnvironmentOptions = {},
): FilteredEnvironment {
  const { env, removed } = filterWithValues(source, options)
  return { env, removed }
}

/**
 * The same, and what was withheld as a secret or on request: not what only changes the shell, or is none of the basic
 * ones.
 *
 * @param terminal whether the command has a terminal of its own
 */
export function filterWithValues(
  source: Readonly<Record<string, string | undefined>>,
  options: EnvironmentOptions = {},
  terminal = false,
): FilteredEnvironment & { withheld: Withheld[] } {
  if (typeof source !== 'object' || source === null) throw invalidInput('source', 'must be an object', source)
  checkEnvironmentOptions(options)
  const { inherit = 'filtered', set } = options
  const allow = compileNamePatterns(options.allow)
  const deny = compileNamePatterns(options.deny)
  const env = Object.create(null) as Record<string, string>
  const missing = new Set<string>()
  const withheld: Withheld[] = []

  for (const name of Object.keys(source)) {
    const value = source[name]
    if (value === undefined) continue
    if (typeof value !== 'string')
      throw invalidInput(`source.${name}`, 'must be a string or undefined', value)
    const isDenied = deny?.test(name) === true
    const kept =
      !isDenied && (inherit === 'all' ? isPassable(name, value) : isKept(name, value, inherit, allow))
    const passed = kept && inherit !== 'all' ? withoutRelativeLibraries(name, value) : value
    if (kept && passed !== undefined) {
      env[name] = passed
    } else {
      missing.add(name)
      if (isDenied || (inherit !== 'all' && isSecret(name, value))) withheld.push([name, value])
    }
  }
  withholdBrokenGitConfig(env, missing)

  if (terminal) setTerminal(env)
  else if (inherit !== 'all') for (const { name, value } of nonInteractiveDefaults) env[name] = value
  if (set !== undefined) {
    for (const name of Object.keys(set)) {
      const value = set[name]
      if (value !== undefined) env[name] = value
      else if (name in env) {
        delete env[name]
        const own = source[name]
        if (own === undefined) continue
        missing.add(name)
        withheld.push([name, own])
      }
    }
  }
  const removed = [...missing].filter((name) => !(name in env) && isPassableName(name)).sort()
  return { env, removed, withheld: withheld.length === 0 ? withheld : notGiven(withheld, env) }
}

/** Whatever the host's own terminal is. */
function setTerminal(env: Record<string, string>): void {
  for (const name of ofOtherTerminals) delete env[name]
  env.TERM = terminalType
}

/** What a command has under another name is no secret to it. */
function notGiven(withheld: readonly Withheld[], env: Readonly<Record<string, string>>): Withheld[] {
  const given = new Set(Object.values(env))
  return withheld.filter(([, value]) => !given.has(value))
}

function isSecret(name: string, value: string): boolean {
  const traits = traitsOf(name)
  if (traits.kind === 'never' || traits.kind === 'essential') return false
  return traits.kind === 'secret' || isSecretValue(value, traits)
}

function isKept(
  name: string,
  value: string,
  inherit: 'filtered' | 'none',
  allow: RegExp | undefined,
): boolean {
  const traits = traitsOf(name)
  if (traits.kind === 'never' || !isPassable(name, value)) return false
  if (allow?.test(name)) return true
  if (inherit === 'none' && !traits.basic) return false
  if (traits.kind === 'secret') return false
  return traits.kind === 'essential' || !isSecretValue(value, traits)
}

// The judgement on a variable, remembered, as each command asks again about the same environment.
interface Traits {
  kind: 'never' | 'secret' | 'essential' | 'ordinary'
  /** Whether `inherit: 'none'` has it. */
  basic: boolean
  /** The last value found to hold no secret. Others are judged again each time rather than kept in memory. */
  innocent?: string
}

const knownNamesLimit = 512
const rememberedValueLength = 4096
const knownNames = new Map<string, Traits>()

const basicName = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR)$/

function traitsOf(name: string): Traits {
  const known = knownNames.get(name)
  if (known !== undefined) return known
  const traits: Traits = { kind: kindOf(name), basic: basicName.test(name) }
  if (knownNames.size >= knownNamesLimit) knownNames.clear()
  knownNames.set(name, traits)
  return traits
}

function kindOf(name: string): Traits['kind'] {
  if (isNeverInherited(name)) return 'never'
  if (isEssentialName(name)) return 'essential'
  return findSecretNameRule(name) === undefined ? 'ordinary' : 'secret'
}

function isSecretValue(value: string, traits: Traits): boolean {
  if (traits.innocent === value) return false
  if (findSecretValueRule(value) !== undefined) return true
  if (value.length <= rememberedValueLength) traits.innocent = value
  return false
}

function isGitConfigEntry(name: string): boolean {
  return name.startsWith('GIT_CONFIG_KEY_') || name.startsWith('GIT_CONFIG_VALUE_')
}

// git refuses to do anything when GIT_CONFIG_COUNT promises an entry that is missing (git-config(1),
// ENVIRONMENT), so without one of them none is passed on.
function withholdBrokenGitConfig(env: Record<string, string>, withheld: Set<string>): void {
  if (env.GIT_CONFIG_COUNT === undefined || ![...withheld].some(isGitConfigEntry)) return
  for (const name of Object.keys(env)) {
    if (name !== 'GIT_CONFIG_COUNT' && !isGitConfigEntry(name)) continue
    delete env[name]
    withheld.add(name)
  }
}

// Callers repeat the same few lists for every command; the limit is for one that makes up new ones.
const cacheLimit = 64
const cache = new Map<string, RegExp>()

/**
 * One expression that matches the names that any of the patterns matches: `*` stands for any run of characters,
 * everything else for itself. Case counts, as it does in the environment. Undefined for an empty list.
 */
export function compileNamePatterns(patterns: readonly string[] | undefined): RegExp | undefined {
  if (patterns === undefined || patterns.length === 0) return undefined
  const key = patterns.join('\0')
  const known = cache.get(key)
  if (known !== undefined) return known
  const compiled = new RegExp(`^(?:${patterns.map(patternSource).join('|')})$`)
  if (cache.size >= cacheLimit) cache.clear()
  cache.set(key, compiled)
  return compiled
}

function patternSource(pattern: string): string {
  return pattern
    .split(/\*+/)
    .map((literal) => literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('[^]*')
}
