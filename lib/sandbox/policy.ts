// What a command may do, as an object; the names of those that are ready made; and the checks of both.

import { checkFlag, checkObject, checkOneOf, invalidInput } from '../util/invalid-input.js'
import type { FieldHint } from '../util/unknown-field.js'

/**
 * What a command is refused: everything that Restricted mode refuses, but for what a policy allows, and what it takes
 * besides. A relative path begins in the working directory (in a session: where that began), and `~` is the command's HOME.
 */
export interface SandboxPolicy {
  /** Directories below which files can be changed: existing ones, 16 at most. Default: none. */
  writable?: readonly string[] | undefined
  /**
   * Files and directories whose content cannot be read. They need not exist: one that appears while a command runs cannot
   * be read, either. The last component may have `*` for any characters, and stands for what is there when the command
   * starts. `'default'`, also as an entry: where keys and passwords usually are. Default: none.
   */
  unreadable?: 'default' | readonly string[] | undefined
  /**
   * Paths within each writable directory that are watched: `protectedChanged` of the result names those that the command
   * has changed. `'default'`, also as an entry: what programs execute unasked, such as the hooks of git. Default: none.
   */
  protect?: 'default' | readonly string[] | undefined
  /** There is no network. */
  network?: false | undefined
  /** Whether files in /dev/shm can be written, which all processes of the user share. Default false. */
  sharedMemory?: boolean | undefined
}

/** `'restricted'`: the command can read and compute. `'workspace'`: it can change files in its working directory, too. */
export type SandboxMode = 'unrestricted' | 'restricted' | 'workspace'

/** The mode of a result: `'custom'` for a policy of the caller's own. */
export type SandboxName = SandboxMode | 'custom'

/** The default first. */
export const sandboxModes = [
  'unrestricted',
  'restricted',
  'workspace',
] as const satisfies readonly SandboxMode[]

/** A copy of a policy that has been checked, with its defaults filled in. */
export interface CheckedPolicy {
  /** As given. */
  readonly writable: readonly string[]
  /** The entry `'default'` stands for a list. */
  readonly unreadable: readonly string[]
  /** Likewise. */
  readonly protect: readonly string[]
  readonly sharedMemory: boolean
}

/** What confines a command, and how that is called. */
export interface Sandbox {
  readonly name: SandboxName
  /** Undefined in Unrestricted mode. */
  readonly policy: CheckedPolicy | undefined
}

export const unrestricted: Sandbox = { name: 'unrestricted', policy: undefined }

export const restricted: Sandbox = {
  name: 'restricted',
  policy: { writable: [], unreadable: [], protect: [], sharedMemory: false },
}

const workspace = {
  name: 'workspace',
  policy: { writable: ['.'], unreadable: ['default'], protect: ['default'], sharedMemory: false },
} as const satisfies Sandbox

/** @param changes of the preset */
export function sandboxOfMode(mode: SandboxMode, changes?: Partial<CheckedPolicy>): Sandbox {
  if (mode === 'unrestricted') return unrestricted
  if (mode === 'restricted') return restricted
  return changes === undefined ? workspace : { name: mode, policy: { ...workspace.policy, ...changes } }
}

/** Whether it is that of a mode as it is. */
export function isPreset(policy: CheckedPolicy | undefined): boolean {
  return policy === undefined || policy === restricted.policy || policy === workspace.policy
}

/** What tells two policies apart. */
export function policyKey({ writable, unreadable, protect, sharedMemory }: CheckedPolicy): string {
  return JSON.stringify([writable, unreadable, protect, sharedMemory])
}

const fields = [
  ...['writable', 'unreadable', 'protect', 'network', 'sharedMemory'],
] as const satisfies readonly (keyof SandboxPolicy)[]

/** How many entries each list may have. */
const maxWritable = 16
const maxUnreadable = 256
/** With those that `'default'` stands for. */
export const maxProtected = 128
/** Each takes 4 KiB of a small stack in the supervisor. */
const maxEveryEntry = 8

const fieldHint: FieldHint = (word) => {
  if (word === 'loopback' || word === 'unixsockets') return 'sockets are as in Restricted mode'
  return synonyms[word]
}

const synonyms: Readonly<Record<string, string>> = {
  allowwrite: 'writable',
  write: 'writable',
  roots: 'writable',
  denyread: 'unreadable',
  readable: 'everything can be read but what is unreadable',
  protected: 'protect',
  domains: 'there is no network yet',
  alloweddomains: 'there is no network yet',
  shm: 'sharedMemory',
}

/** The name of a mode, or a policy. @throws {BashError} ERR_INVALID_INPUT */
export function checkSandbox(field: string, value: unknown): SandboxMode | CheckedPolicy {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return checkOneOf(field, value, sandboxModes)
  }
  const changes = checkPolicyChanges(field, value)
  const { writable = [], unreadable = [], protect = [], sharedMemory = false } = changes
  return { writable, unreadable, protect, sharedMemory }
}

/** The fields that are given. @throws {BashError} ERR_INVALID_INPUT */
export function checkPolicyChanges(field: string, value: unknown): Partial<CheckedPolicy> {
  const given = checkObject(field, value, fields, fieldHint)
  const { writable, unreadable, protect, network, sharedMemory } = given
  if (network !== undefined && network !== false) {
    throw invalidInput(`${field}.network`, 'must be false: commands with a policy have no network', network)
  }
  const checked: { -readonly [Name in keyof CheckedPolicy]?: CheckedPolicy[Name] } = {}
  if (writable !== undefined) checked.writable = checkPaths(`${field}.writable`, writable, maxWritable)
  if (unreadable !== undefined) {
    checked.unreadable = checkUnreadable(`${field}.unreadable`, unreadable)
  }
  if (protect !== undefined) checked.protect = checkProtected(`${field}.protect`, protect)
  if (sharedMemory !== undefined) {
    checked.sharedMemory = checkFlag(`${field}.sharedMemory`, sharedMemory)
  }
  return checked
}

function checkUnreadable(field: string, value: unknown): readonly string[] {
  const paths = checkPathsOrDefault(field, value, maxUnreadable)
  paths.forEach((path, index) => {
    if (!/\*[^/]*\//.test(path)) return
    throw invalidInput(`${field}[${index}]`, 'must have * in its last component only', path)
  })
  return paths
}

function checkProtected(field: string, value: unknown): readonly string[] {
  const paths = checkPathsOrDefault(field, value, maxProtected)
  paths.forEach((path, index) => {
    const components = path.split('/')
    if (components.includes('..') || components[0] === '' || components[0] === '~') {
      throw invalidInput(`${field}[${index}]`, 'must be a path within the writable directories', path)
    }
    if (components.filter((component) => component === '*').length > maxEveryEntry) {
      throw invalidInput(`${field}[${index}]`, `must have * at most ${maxEveryEntry} times`, path)
    }
  })
  return paths
}

function checkPathsOrDefault(field: string, value: unknown, most: number): readonly string[] {
  if (value === 'default') return [value]
  if (!Array.isArray(value)) throw invalidInput(field, "must be 'default' or an array of paths", value)
  return checkPaths(field, value, most)
}

/** SOH separates the paths of a list on their way to the supervisor. */
const separators = /[\0\x01]/

function checkPaths(field: string, value: unknown, most: number): readonly string[] {
  if (!Array.isArray(value)) throw invalidInput(field, 'must be an array of paths', value)
  if (value.length > most) {
    throw invalidInput(field, `must have at most ${most} entries`, value.length)
  }
  return value.map((path: unknown, index) => {
    if (typeof path === 'string' && path !== '' && !separators.test(path)) return path
    throw invalidInput(`${field}[${index}]`, 'must be a path without NUL and U+0001', path)
  })
}
