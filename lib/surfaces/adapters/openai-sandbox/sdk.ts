// What of the OpenAI Agents SDK the sandbox needs. It is loaded with the first client.

import type { applyDiff } from '@openai/agents'
import type * as Sandbox from '@openai/agents/sandbox'
import type * as Local from '@openai/agents/sandbox/local'

/** That for `import`, or that for `require`: runners and sandboxes are of one copy. */
export interface Sdk {
  sandbox: typeof Sandbox
  local: typeof Local
  applyDiff: typeof applyDiff
}
