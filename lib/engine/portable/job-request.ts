// What the host tells the process of a background job, and what that answers: a line of JSON each.

import type { CommandRequest, JobPlan } from '../engine.js'

/** What the process of a job needs of a request. */
export type JobRequest = CommandRequest & { job: JobPlan }

export type JobAnswer =
  /** It runs, and is on the disk. Of its shell. */
  | { pid: number }
  /** It does not, and why. */
  | { step: string; errno: number }

/** Bytes cross as base64. */
export function encodeJobRequest(request: JobRequest): string {
  const { environment, session } = request
  return JSON.stringify({
    ...request,
    environment: environment.toString('base64'),
    session: session && {
      prologue: session.prologue.toString('base64'),
      prologueDescriptor: session.prologueDescriptor,
    },
  })
}

export function decodeJobRequest(text: string): JobRequest {
  const fields = JSON.parse(text)
  const session: { prologue: string; prologueDescriptor: number } | undefined = fields.session
  return {
    ...fields,
    environment: Buffer.from(fields.environment, 'base64'),
    // What a background job leaves is nobody's.
    session: session && {
      ...session,
      prologue: Buffer.from(session.prologue, 'base64'),
      stateLimit: 0,
      onState: () => {},
    },
  }
}
