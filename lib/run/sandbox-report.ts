// What a result has of the sandbox's own report.

import type { SandboxEvents } from '../engine/engine.js'
import type { Denial, DenialOperation } from '../sandbox/denials.js'
import type { BashResult } from './result.js'

/** In the order of `protocol::Operation` in native/process/control_protocol.h. */
const operations: readonly DenialOperation[] = [
  'chmod',
  'chown',
  'utimes',
  'setxattr',
  'removexattr',
  'truncate',
]

type ReportFields = Partial<
  Pick<BashResult, 'denials' | 'denialsDropped' | 'protectedChanged' | 'status' | 'exitCode' | 'error'>
>

export function reportFields(report: SandboxEvents): ReportFields {
  const { denials, denialsDropped, changed, brokerEnded } = report
  return {
    ...(denials.length > 0 && { denials: denials.map(toDenial) }),
    ...(denialsDropped > 0 && { denialsDropped }),
    ...(changed.length > 0 && { protectedChanged: changed }),
    ...(brokerEnded && {
      status: 'error',
      // What else the command did is not known.
      exitCode: null,
      error: { code: 'ERR_SANDBOX_LOST', message: lostMessage },
    }),
  }
}

const lostMessage =
  'the part of the sandbox that answers for changes of modes, owners and times ended before the command did; the command was killed with everything it had started'

function toDenial({ operation, target }: SandboxEvents['denials'][number]): Denial {
  return { operation: operations[operation] ?? 'other', target }
}
