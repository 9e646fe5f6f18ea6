// Asking a person, through the function of the host: whatever that does, nothing runs without a clear yes.

import { messageOf } from '../../base/errors.js'
import { onAbort } from '../../base/util/listeners.js'
import { preview } from '../../base/util/schema/preview.js'
import type { Call } from '../call/call.js'
import type { ApprovalAnswer, ApprovalRequest, Approve } from './options.js'

/** `cancelled`: the call was, while it waited. `failed`: why there is no answer. */
export type Asked =
  | { answer: 'once' | 'always' }
  | { answer: 'deny'; why: string }
  | { answer: 'cancelled' }
  | { answer: 'failed'; why: string }

export async function ask(
  approve: Approve,
  { cancel, given }: Pick<Call, 'cancel' | 'given'>,
  request: ApprovalRequest,
): Promise<Asked> {
  const controller = new AbortController()
  let release = () => {}
  const cancelled = new Promise<Asked>((resolve) => {
    release = onAbort(cancel, () => {
      controller.abort()
      resolve({ answer: 'cancelled' })
    })
  })
  if (controller.signal.aborted) return { answer: 'cancelled' }
  try {
    return await Promise.race([
      answerOf(approve, request, { signal: controller.signal, context: given }),
      cancelled,
    ])
  } finally {
    release()
  }
}

/** Never rejects: a late answer is nobody's any more. */
async function answerOf(approve: Approve, ...args: Parameters<Approve>): Promise<Asked> {
  try {
    return readAnswer(await approve(...args))
  } catch (error) {
    return { answer: 'failed', why: `asking failed: ${messageOf(error)}` }
  }
}

function readAnswer(answer: ApprovalAnswer): Asked {
  if (answer === 'once' || answer === 'always') return { answer }
  const { deny } = (answer ?? {}) as { deny?: unknown }
  if (typeof deny === 'string') return { answer: 'deny', why: deny }
  return {
    answer: 'failed',
    why: `approve() must answer 'once', 'always' or { deny: '…' } (got ${preview(answer)})`,
  }
}
