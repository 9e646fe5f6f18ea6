// What a ledger is told, and what it says of a call.

import type { BashResult } from '../run/result.js'

export interface CallLedgerOptions {
  /**
   * An absolute path. Default: `$XDG_STATE_HOME/bashward/calls`, or `~/.local/state/bashward/calls`. It must belong to this
   * user and be writable by nobody else.
   */
  directory?: string | undefined
  /** Told apart from the same ids of other tenants. 1 to 1024 bytes. Default: none. */
  tenant?: string | undefined
  /**
   * Whether a call that has started is still known after a loss of power. Each then waits for the disk, some milliseconds.
   * Default false.
   */
  durable?: boolean | undefined
  /** Whether the directory may be on NFS, 9p, FUSE and the like, where nothing is promised. Default false. */
  anyFileSystem?: boolean | undefined
  /**
   * Called when a call has run, before its result is kept and given: the time to take a snapshot of its session. If it
   * throws, the result says so in `sessionUnsaved`.
   */
  beforeResult?: ((result: BashResult, call: CallIdentity) => void | Promise<void>) | undefined
}

/** What a ledger was made with, its defaults filled in. */
export interface LedgerSettings {
  readonly directory: string
  readonly tenant: string | undefined
  readonly durable: boolean
  readonly anyFileSystem: boolean
  readonly beforeResult: CallLedgerOptions['beforeResult']
}

/** What names a call, on one machine and for one tenant. */
export interface CallIdentity {
  /** 1 to 1024 bytes, as `toolCallId` of a context. */
  callId: string
  /** 1 to 1024 bytes. */
  conversationId?: string | undefined
}

/**
 * - `never`: nothing of it has started here
 * - `started`: it runs, in this or another process
 * - `result`: it has come to its end, which may be that it could not be started
 * - `unknown`: it was started, and who ran it was lost before it recorded an end: it may have run, in part or whole
 */
export type CallStatus =
  | { status: 'never' }
  | { status: 'started' }
  | { status: 'result'; result: BashResult }
  | { status: 'unknown' }
