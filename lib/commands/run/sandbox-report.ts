// What a result has of the sandbox's own report, besides what was refused.

import { lostSandbox } from '../../guard/sandbox/protections.js'
import type { SandboxEvents } from '../../processes/engine/completion.js'
import type { BashResult } from './result.js'

type ReportFields = Partial<
  Pick<BashResult, 'protectedChanged' | 'protectedDropped' | 'status' | 'exitCode' | 'error'>
>

export function reportFields(report: SandboxEvents): ReportFields {
  const { changed, changedDropped, brokerEnded } = report
  return {
    ...(changed.length > 0 && { protectedChanged: changed }),
    ...(changedDropped > 0 && { protectedDropped: changedDropped }),
    ...(brokerEnded && {
      status: 'error',
      // What else the command did is not known.
      exitCode: null,
      error: { code: 'ERR_SANDBOX_LOST', message: lostSandbox },
    }),
  }
}
