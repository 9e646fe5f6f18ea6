// What a tool's description adds where commands are confined: the constraints, so that no call is spent on finding them
// out.

import { resolve } from 'node:path'
import type { CheckedPolicy, SandboxName } from './policy.js'
import type { Protection } from './protections.js'

export interface Restriction {
  /** Whether commands get a scratch directory. */
  scratch: boolean
  /** The protections that this kernel lacks. */
  missing: readonly Protection[]
  /** Default: Restricted mode. */
  sandbox?: SandboxName
  /** What is allowed besides, and what is not. */
  policy?: CheckedPolicy | undefined
  /** Where relative paths of the policy begin. Default: the working directory. */
  base?: string | undefined
}

const acts: Record<Protection, string> = {
  filesystem: 'writing files',
  metadata: 'changing modes, owners, times and attributes',
  devices: 'controlling devices and terminals',
  network: 'using the network',
  unixSockets: 'connecting to local sockets',
  ipc: 'sharing memory, queues and keys with other processes',
  signals: 'signalling processes outside the command',
  processes: 'inspecting or changing processes outside the command',
  kernel: 'namespaces, mounts and the like',
  privileges: 'gaining privileges',
  resources: 'exceeding the resource limits',
}

const readOnly = `- Files are read-only, those in /tmp too. Give scripts as here-documents of at most 64 KiB, not as files. From a
  pipe tac reads nothing, and sort loses all from 0.75 MB on, with status 0: give it memory (sort -S 1G).`

const readOnlyButScratch = `- Files are read-only, those in /tmp too. Only $TMPDIR can be written: it is private to the command, limited in size, and
  removed after it. Modes and times cannot be changed there either, so compilers and tar do not work in it.`

const processes = '- Processes outside the command can be neither signalled nor traced.'

const noWorkaround =
  'What is refused stays refused. Never try to work around a refusal: say what could not be done, and why.'

/** A paragraph of some lines, without a line break at its end. */
export function describeRestricted({ scratch, missing, sandbox, policy }: Restriction): string {
  const name = sandbox === 'custom' ? 'SANDBOX' : 'RESTRICTED MODE'
  return [
    `${name}: commands can read and compute. The kernel refuses the rest:`,
    scratch ? readOnlyButScratch : readOnly,
    ...unreadableLines(policy),
    ...networkLines(policy, 'installed'),
    processes,
    noWorkaround,
    ...lacking(missing, acts),
  ].join('\n')
}

const actsOutside = {
  ...acts,
  filesystem: 'writing files elsewhere',
  metadata: 'changing modes, owners, times and attributes elsewhere',
}

/** Where something can be written. */
function describeWriting(
  { scratch, missing, sandbox, base }: Restriction,
  policy: CheckedPolicy,
  workingDir: string,
): string {
  const name = sandbox === 'custom' ? 'SANDBOX' : 'WORKSPACE MODE'
  const roots = policy.writable.map((path) =>
    path.startsWith('~') ? path : resolve(base ?? workingDir, path),
  )
  return [
    `${name}: files can be changed below ${listed(scratch ? [...roots, '$TMPDIR'] : roots)} only. The kernel refuses the rest:`,
    `- All other files are read-only, those in /tmp too.${scratch ? ' $TMPDIR is private to the command, limited in size, and removed after it.' : ''}`,
    ...unreadableLines(policy),
    ...networkLines(policy, 'downloaded'),
    processes,
    `- No set-user-id bits${policy.sharedMemory ? '' : ', and no shared memory (/dev/shm)'}.`,
    ...watchedLines(policy),
    noWorkaround,
    ...lacking(missing, actsOutside),
  ].join('\n')
}

function unreadableLines(policy: CheckedPolicy | undefined): string[] {
  const paths = policy?.unreadable ?? []
  if (paths.length === 0) return []
  const named = some(paths, ['keys and passwords of the user, in ~/.ssh and such places'])
  return [`- Cannot be read: ${named}.`]
}

const ownServers = `Servers on localhost, over TCP, can be reached by the command that started them: start and use them in one
  call. Other local services cannot be reached, nor servers of other calls.`

/** @param done what nothing can be without a network */
function networkLines(policy: CheckedPolicy | undefined, done: string): string[] {
  const { network = false, loopback = false } = policy ?? {}
  if (network === false) {
    if (!loopback) return [`- There is no network, not even localhost, and nothing can be ${done}.`]
    return [`- There is no network beyond localhost, and nothing can be ${done}.`, `- ${ownServers}`]
  }
  const reached = `- Of the network only ${some(network.domains, [])} can be reached, by the proxy in $HTTPS_PROXY, which most programs
  use by themselves; over HTTP and HTTPS, not ssh. 403 is its answer for other hosts.`
  return [reached, loopback ? `- ${ownServers}` : '- No servers, not even on localhost.']
}

function watchedLines({ protect }: CheckedPolicy): string[] {
  if (protect.length === 0) return []
  const named = some(protect, [
    '.git/hooks',
    '.git/config',
    '.envrc',
    'and whatever else programs execute unasked',
  ])
  return [`- Unless it is what you are asked for, do not change ${named}: such changes are reported.`]
}

const shownPaths = 6

/** A list of paths as a policy has them, with what is said instead of its entry `default`. */
function some(paths: readonly string[], instead: readonly string[]): string {
  const own = paths.filter((path) => path !== 'default')
  const shown = own.slice(0, shownPaths)
  if (shown.length < own.length) shown.push(`${own.length - shown.length} more`)
  return (own.length < paths.length ? [...shown, ...instead] : shown).join(', ')
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function lacking(missing: readonly Protection[], acts: Record<Protection, string>): string[] {
  if (missing.length === 0) return []
  const list = missing.map((name) => acts[name]).join('; ')
  return [`This kernel does not refuse all of it. Forbidden all the same: ${list}.`]
}

/** Whether there is a network. */
export function isOnline(restriction: Restriction | undefined): boolean {
  return (restriction?.policy?.network ?? false) !== false
}

/** Whether files can be changed, but for those of a scratch directory. */
export function canWrite(restriction: Restriction | undefined): boolean {
  return (restriction?.policy?.writable.length ?? 0) > 0
}

/**
 * The description of a tool: what it says in any mode, what it refuses, the constraints of the sandbox, and the line with
 * the working directory last.
 */
export function describeTool(
  text: string,
  workingDir: string,
  restriction: Restriction | undefined,
  refusals = '',
): string {
  const constraints = restriction === undefined ? '' : describe(restriction, workingDir)
  const parts = [text, refusals, constraints, `<pwd>${workingDir}</pwd>`]
  return parts.filter((part) => part !== '').join('\n\n')
}

function describe(restriction: Restriction, workingDir: string): string {
  const { policy } = restriction
  return policy !== undefined && canWrite(restriction)
    ? describeWriting(restriction, policy, workingDir)
    : describeRestricted(restriction)
}
