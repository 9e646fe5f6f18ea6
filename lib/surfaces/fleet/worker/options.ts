// What a worker is started with.

import type { RedisOptions } from 'ioredis'
import type { SandboxMode, SandboxPolicy } from '../../../guard/sandbox/policy.js'
import type { BashToolOptions } from '../../../tools/bash-tool.js'
import type { WorkerTimings } from '../limits.js'
import type { AcceptedKeys } from '../signing.js'

export interface FleetWorkerOptions {
  /** The machine: the same after each restart. */
  id: string
  redis: RedisOptions
  /** Absolute path: each conversation has a directory below it. */
  workspaces: string
  /** Absolute path: marks and results of calls, jobs, sessions, saved output. */
  state: string
  acceptedKeys: AcceptedKeys
  /** Commands at a time. */
  concurrency: number
  sandbox: SandboxMode
  /** What is different in Workspace mode, but for the conversation's own directory. */
  workspace: Partial<SandboxPolicy> | undefined
  /** The same for all conversations. */
  tool: Pick<BashToolOptions, 'safety' | 'env' | 'scratch'>
  /** 32 bytes that seal sessions; undefined: they end with this process. */
  sessionKey: Uint8Array | undefined
  /** Bytes of live output in a second, of all commands together. */
  liveBytesPerSecond: number
  /** Milliseconds that commands get to end when the worker is to. */
  graceMs: number
  timings: WorkerTimings
  /** Takes a line for people: something besides the calls has failed. */
  warn: (line: string) => void
}
