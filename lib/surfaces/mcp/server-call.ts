// One call of a tool of the MCP server, and what it gives.

import type { BashSession } from '../../commands/session/bash-session.js'
import type { CallApproval } from './approval.js'
import type { RememberedRules } from './remembered-rules.js'

/** What is known of one call besides its input. */
export interface ServerCall {
  toolCallId: string
  /** The conversation in which that id names a call that starts once; undefined: the call cannot be sent again. */
  onceIn?: string | undefined
  cancel: AbortSignal
  session?: BashSession | undefined
  /** Undefined: nobody can be asked. */
  approval?: CallApproval | undefined
  /** What was allowed on this connection. */
  remembered?: RememberedRules | undefined
  /** Told of output as it comes: bytes. */
  onOutput: (bytes: number) => void
  /** Told of the job that the command runs as. */
  onJob: (id: string) => void
}

export interface ServerToolResult {
  text: string
  /** The same for programs. */
  structured: Record<string, unknown>
  isError: boolean
  /** The job that goes on after the call. */
  startedJob?: string
  /** Whether that is the command of the call itself, which took longer than the answer could wait. */
  isUnfinished?: boolean
  /** The job of whose end the result tells. */
  endedJob?: string
}
