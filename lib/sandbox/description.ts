// What a tool's description adds in Restricted mode: the constraints, so that no call is spent on finding them out.

import type { Protection } from './protections.js'

export interface Restriction {
  /** Whether commands get a scratch directory. */
  scratch: boolean
  /** The protections that this kernel lacks. */
  missing: readonly Protection[]
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

const readOnly = `- Files are read-only, those in /tmp too. Give scripts as here-documents of at most 64 KiB, not as files; sort has
  no temporary files, so give it memory for much data (-S 1G).`

const readOnlyButScratch = `- Files are read-only, those in /tmp too. Only $TMPDIR can be written: it is private to the command, limited in size, and
  removed after it. Modes and times cannot be changed there either, so compilers and tar do not work in it.`

/** A paragraph of some lines, without a line break at its end. */
export function describeRestricted({ scratch, missing }: Restriction): string {
  const lines = [
    'RESTRICTED MODE: commands can read and compute. The kernel refuses the rest:',
    scratch ? readOnlyButScratch : readOnly,
    '- There is no network, not even localhost, and nothing can be installed.',
    '- Processes outside the command can be neither signalled nor traced.',
    'What is refused stays refused. Never try to work around a refusal: say what could not be done, and why.',
  ]
  if (missing.length > 0) {
    const list = missing.map((name) => acts[name]).join('; ')
    lines.push(`This kernel does not refuse all of it. Forbidden all the same: ${list}.`)
  }
  return lines.join('\n')
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
  const constraints = restriction === undefined ? '' : describeRestricted(restriction)
  const parts = [text, refusals, constraints, `<pwd>${workingDir}</pwd>`]
  return parts.filter((part) => part !== '').join('\n\n')
}
