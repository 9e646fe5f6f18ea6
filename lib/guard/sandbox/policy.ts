// What a command may do, as an object; the names of those that are ready made; and the checks of both.

import { checkFlag, checkObject, checkOneOf, invalidInput } from '../../base/util/invalid-input.js'
import type { FieldHint } from '../../base/util/unknown-field.js'
import { checkNetwork } from './network-policy.js'

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
  /**
   * What can be reached beyond this machine: nothing (`false`, the default), or the hosts that are listed, by an HTTP
   * proxy that the variables of the command lead programs to. A host is `registry.example`, `*.example.org`, which stands
   * for all that is below, or `db.example:5432`; without a port it is reached at 443 and 80. 64 at most.
   */
  network?: false | { domains: readonly string[] } | undefined
  /** Whether the processes of the command can be servers of each other, over TCP on localhost. Default false. */
  loopback?: boolean | undefined
  /** Likewise, over sockets that they make in a writable directory. Default false. */
  unixSockets?: boolean | undefined
  /** Whether files in /dev/shm can be written, which all processes of the user share. Default false. */
  sharedMemory?: boolean | undefined
  /**
   * What becomes of a command whose writable directories hold code that this process has loaded, which the command could
   * change: `'report'` tells it once, as a {@link HostCodeEvent}; `'refuse'` refuses the command (ERR_INVALID_INPUT). Default
   * `'report'`.
   */
  hostCode?: HostCode | undefined
}

const hostCodes = ['report', 'refuse'] as const

/** What is done about code of the host in a writable directory. */
export type HostCode = (typeof hostCodes)[number]

/**
 * `'restricted'`: the command can read and compute. `'workspace'`: it can change files in its working directory, too, and
 * test servers of its own.
 */
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
  /** The domains as the proxy takes them; never an empty list. */
  readonly network: false | { readonly domains: readonly string[] }
  readonly loopback: boolean
  readonly unixSockets: boolean
  readonly sharedMemory: boolean
  readonly hostCode: HostCode
}

/** What confines a command, and how that is called. */
export interface Sandbox {
  readonly name: SandboxName
  /** Undefined in Unrestricted mode. */
  readonly policy: CheckedPolicy | undefined
}

export const unrestricted: Sandbox = { name: 'unrestricted', policy: undefined }

/** What `sharedMemory` makes writable. */
export const sharedMemoryDirectory = '/dev/shm'

const nothing: CheckedPolicy = {
  writable: [],
  unreadable: [],
  protect: [],
  network: false,
  loopback: false,
  unixSockets: false,
  sharedMemory: false,
  hostCode: 'report',
}

export const restricted: Sandbox = { name: 'restricted', policy: { ...nothing } }

const workspace = {
  name: 'workspace',
  policy: {
    ...nothing,
    writable: ['.'],
    unreadable: ['default'],
    protect: ['default'],
    loopback: true,
    unixSockets: true,
  },
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

/** The hosts that can be reached. */
export function domainsOf({ network }: Pick<CheckedPolicy, 'network'>): readonly string[] {
  return network === false ? [] : network.domains
}

/** What tells two policies apart: all that commands notice of them. */
export function policyKey(policy: CheckedPolicy): string {
  const domains = domainsOf(policy)
  const { writable, unreadable, protect, loopback, unixSockets, sharedMemory } = policy
  return JSON.stringify([writable, unreadable, protect, domains, loopback, unixSockets, sharedMemory])
}

/** Whether some of its system calls are answered by a broker: it allows what the kernel alone could only allow altogether. */
export function isBrokered({
  writable,
  network,
  loopback,
  unixSockets,
}: Pick<CheckedPolicy, 'writable' | 'network' | 'loopback' | 'unixSockets'>): boolean {
  return writable.length > 0 || network !== false || loopback || unixSockets
}

const fields = [
  ...['writable', 'unreadable', 'protect', 'network', 'loopback', 'unixSockets', 'sharedMemory'],
  'hostCode',
] as const satisfies readonly (keyof SandboxPolicy)[]

const flags = ['loopback', 'unixSockets', 'sharedMemory'] as const satisfies readonly (keyof SandboxPolicy)[]

/** How many entries each list may have. */
export const maxWritable = 16
const maxUnreadable = 256
/** With those that `'default'` stands for. */
export const maxProtected = 128
/** Each takes 4 KiB of a small stack in the supervisor. */
const maxEveryEntry = 8

const listDomains = 'list hosts as network: { domains: […] }'

const synonyms: Readonly<Record<string, string>> = {
  allowwrite: 'writable',
  write: 'writable',
  roots: 'writable',
  denyread: 'unreadable',
  readable: 'everything can be read but what is unreadable',
  protected: 'protect',
  domains: listDomains,
  alloweddomains: listDomains,
  allowednetworkhosts: listDomains,
  hosts: listDomains,
  networkaccess: listDomains,
  denieddomains: 'what network does not list is denied',
  allowlocalbinding: 'loopback',
  localbinding: 'loopback',
  localhost: 'loopback',
  allowunixsockets: 'unixSockets',
  allowallunixsockets: 'unixSockets',
  unix: 'unixSockets',
  shm: 'sharedMemory',
  refusehostcode: 'hostCode',
}

const fieldHint: FieldHint = (word) => synonyms[word]

/** The name of a mode, or a policy. @throws {BashError} ERR_INVALID_INPUT */
export function checkSandbox(field: string, value: unknown): SandboxMode | CheckedPolicy {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return checkOneOf(field, value, sandboxModes)
  }
  return { ...nothing, ...checkPolicyChanges(field, value) }
}

/** The fields that are given. @throws {BashError} ERR_INVALID_INPUT */
export function checkPolicyChanges(field: string, value: unknown): Partial<CheckedPolicy> {
  const given = checkObject(field, value, fields, fieldHint)
  const { writable, unreadable, protect, network } = given
  const checked: { -readonly [Name in keyof CheckedPolicy]?: CheckedPolicy[Name] } = {}
  if (writable !== undefined) checked.writable = checkPaths(`${field}.writable`, writable, maxWritable)
  if (unreadable !== undefined) {
    checked.unreadable = checkUnreadable(`${field}.unreadable`, unreadable)
  }
  if (protect !== undefined) checked.protect = checkProtected(`${field}.protect`, protect)
  if (network !== undefined) checked.network = checkNetwork(`${field}.network`, network)
  if (given.hostCode !== undefined) {
    checked.hostCode = checkOneOf(`${field}.hostCode`, given.hostCode, hostCodes)
  }
  for (const flag of flags) {
    if (given[flag] !== undefined) checked[flag] = checkFlag(`${field}.${flag}`, given[flag])
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
