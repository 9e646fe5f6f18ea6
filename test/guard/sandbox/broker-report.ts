// What a broker reports, written as tests read it.

import { brokerOperations } from '../../../lib/guard/sandbox/denial-operations.js'
import type { SandboxEvents } from '../../../lib/processes/engine/completion.js'

export const report = (
  ...denials: [operation: (typeof brokerOperations)[number], target: string][]
): SandboxEvents => ({
  denials: denials.map(([name, target]) => ({ operation: brokerOperations.indexOf(name), target })),
  denialsDropped: 0,
  changed: [],
  changedDropped: 0,
  brokerEnded: false,
})
