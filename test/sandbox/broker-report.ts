// What a broker reports, written as tests read it.
import type { SandboxEvents } from '../../lib/engine/completion.js'
import { brokerOperations } from '../../lib/sandbox/denial-operations.js'

export const report = (
  ...denials: [operation: (typeof brokerOperations)[number], target: string][]
): SandboxEvents => ({
  denials: denials.map(([name, target]) => ({ operation: brokerOperations.indexOf(name), target })),
  denialsDropped: 0,
  changed: [],
  changedDropped: 0,
  brokerEnded: false,
})
