// What a worker answers, as it stands in Redis.

import { BashError } from '../../base/errors.js'
import type { Refusal } from './failures.js'

/** Of one sending. */
export type Answer =
  /** The result of a tool. */
  | { kind: 'result'; result: Record<string, unknown>; output?: OutputEnd; replayed?: true }
  /** It has not started. */
  | { kind: 'refused'; refusal: Refusal }
  /** Of a control request. */
  | { kind: 'value'; value: unknown }

/** How much output there was, so that a client knows what of it has not come. */
export interface OutputEnd {
  bytes: number
}

export const writeAnswer = (answer: Answer): string => JSON.stringify(answer)

/** @throws {BashError} ERR_INTERNAL for what no worker has written */
export function readAnswer(text: string): Answer {
  const answer = JSON.parse(text) as Answer
  if (!['result', 'refused', 'value'].includes(answer?.kind)) {
    throw new BashError('ERR_INTERNAL', 'a worker has answered what this version does not understand')
  }
  return answer
}

/** What a call has become, as the worker's disk has it. */
export interface CallState {
  state: 'never' | 'running' | 'result' | 'unknown'
  result?: Record<string, unknown>
}

/** What a worker says of itself. */
export interface NodeInfo {
  version: 1
  id: string
  /** Of each process another one. */
  incarnation: string
  /** Of its state directory: two processes that have the same share a disk, and one at most is alive. */
  state: string
  pid: number
  startedAt: number
  running: number
  capacity: number
  draining: boolean
  sandbox: 'unrestricted' | 'restricted' | 'workspace'
  bashward: string
}
