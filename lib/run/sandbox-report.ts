// What a result has of the sandbox's own report, besides what was refused.

import type { SandboxEvents } from '../engine/engine.js'
import type { BashResult } from './result.js'

type ReportFields = Partial<Pick<BashResult, 'protectedChanged' | 'status' | 'exitCode' | 'error'>>

export function reportFields(report: SandboxEvents): ReportFields {
  const { changed, brokerEnded } = report
  return {
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
