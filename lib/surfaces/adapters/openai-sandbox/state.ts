// What a session is, for whoever goes on with it: plain values.

import type { SandboxSessionState } from '@openai/agents/sandbox'
import type { LocalSandboxSnapshot, LocalSandboxSnapshotSpec } from '@openai/agents/sandbox/local'

/** A command that went on after its call. */
export interface GoingOn {
  jobId: string
  /** Bytes of its output that have been told. */
  offset: number
}

export interface OpenaiSandboxState extends SandboxSessionState {
  /** The workspace, by its real name. */
  workspaceRootPath: string
  /** Whether it was made for the session, and goes with it. */
  workspaceRootOwned: boolean
  environment: Record<string, string>
  snapshotSpec: LocalSandboxSnapshotSpec | null
  snapshot: LocalSandboxSnapshot | null
  configuredExposedPorts: number[]
  /** That of its jobs. */
  conversationId: string
  /** By the session id that the model knows. */
  commands: Record<string, GoingOn>
}

/** No other conversation of this user has one like it. */
export const conversationIdPattern = /^openai-sandbox-[0-9a-f-]{36}$/

/** What of a serialized state is not the SDK's. Whatever is wrong with it counts as not there. */
export function ownFields(record: Record<string, unknown>): {
  conversationId: string | undefined
  commands: Record<string, GoingOn>
} {
  const { conversationId, commands } = record
  const entries = Object.entries(typeof commands === 'object' && commands !== null ? commands : {})
  return {
    conversationId:
      typeof conversationId === 'string' && conversationIdPattern.test(conversationId)
        ? conversationId
        : undefined,
    commands: Object.fromEntries(
      entries.filter(([id, command]) => /^\d{1,9}$/.test(id) && isGoingOn(command)),
    ),
  }
}

function isGoingOn(value: unknown): value is GoingOn {
  const { jobId, offset } = (value ?? {}) as Partial<GoingOn>
  return typeof jobId === 'string' && Number.isSafeInteger(offset) && (offset as number) >= 0
}
