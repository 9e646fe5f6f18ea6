// What the broker calls what it refused, and what a line calls what was refused.

import type { Cause } from './denial-patterns.js'
import type { DenialOperation } from './denials.js'

const fileOperations = [
  'chmod',
  'chown',
  'utimes',
  'setxattr',
  'removexattr',
  'truncate',
] as const satisfies readonly DenialOperation[]

const socketOperations = [
  'connect',
  'bind',
  'socket',
  // What the proxy refused.
  'network',
] as const satisfies readonly DenialOperation[]

/** In the order of `protocol::Operation` in native/process/control_protocol.h. */
export const brokerOperations = [...fileOperations, ...socketOperations] as const

export type FileOperation = (typeof fileOperations)[number] | 'write'
export type SocketOperation = (typeof socketOperations)[number]

export function isSocketOperation(operation: DenialOperation): operation is SocketOperation {
  return (socketOperations as readonly string[]).includes(operation)
}

/** What is changed by them, for a sentence. */
export const acts: Readonly<Record<FileOperation, string>> = {
  write: 'writing',
  truncate: 'writing',
  chmod: 'changing modes',
  chown: 'changing owners',
  utimes: 'changing times',
  setxattr: 'changing attributes',
  removexattr: 'changing attributes',
}

export const operations: Readonly<Record<Exclude<Cause, 'attributes'>, DenialOperation>> = {
  files: 'write',
  hereDocument: 'write',
  sort: 'write',
  tac: 'write',
  network: 'network',
  sockets: 'unixSockets',
  devices: 'devices',
  signals: 'signals',
  processes: 'processes',
  sharedMemory: 'sharedMemory',
  privileges: 'privileges',
  other: 'other',
}

const attributeWords: readonly [pattern: RegExp, operation: FileOperation][] = [
  [/chown|chgrp|ownership|change (?:owner|group)|group of/i, 'chown'],
  [/utime|\btimes? |touch/i, 'utimes'],
  [/removexattr/i, 'removexattr'],
  [/xattr|setfattr|setfacl|chcon|chattr|setting flags|attribute/i, 'setxattr'],
]

/** What a line about modes, owners, times and attributes is about. */
export function attributeOperation(line: string): FileOperation {
  return attributeWords.find(([pattern]) => pattern.test(line))?.[1] ?? 'chmod'
}
