// What the sandbox refused a command, by name: the broker's own record, and what the output lets one infer.

import type { SandboxPolicy } from './policy.js'

/**
 * - `write`: a file outside of the writable directories was to be made, changed, renamed or removed
 * - `read`: a path that the policy makes unreadable
 * - `chmod`, `chown`, `utimes`, `setxattr`, `removexattr`, `truncate`: as the system calls are named
 * - `connect`, `bind`: an address as `127.0.0.1:5432`, `[::1]:80` or `unix:/path`; `socket`: one of a kind that there is not
 * - `network`, `unixSockets`, `sharedMemory`, `devices`, `signals`, `processes`, `privileges`: as the protections are named
 * - `other`: the output does not tell
 */
export type DenialOperation =
  | 'write'
  | 'read'
  | 'chmod'
  | 'chown'
  | 'utimes'
  | 'setxattr'
  | 'removexattr'
  | 'truncate'
  | 'connect'
  | 'bind'
  | 'socket'
  | 'network'
  | 'unixSockets'
  | 'sharedMemory'
  | 'devices'
  | 'signals'
  | 'processes'
  | 'privileges'
  | 'other'

/** One thing that the sandbox refused. */
export interface Denial {
  operation: DenialOperation
  /**
   * A path, a host, a process: what was to be changed or reached, as far as it is known; else empty. It is text of the
   * command's choosing: control characters and such as turn the direction of writing are escaped, and it is cut at 4096
   * characters. Show it as what the command says, and never execute it.
   */
  target: string
  /**
   * What a policy would have to have besides to allow it: these are to be added to its own lists. Nothing is run again by
   * itself: whether to ask a person, and to run the command once more with it, is the host's decision.
   */
  grant?: Partial<SandboxPolicy>
  /** It is concluded from the output, which the command can forge, and may have had another cause. */
  inferred?: true
}
