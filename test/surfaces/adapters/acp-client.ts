// An agent and its ACP client in this process, with terminals in a directory of their own.
import { realpathSync } from 'node:fs'
import { type AgentContext, agent, client, RequestError } from '@agentclientprotocol/sdk'
import { JobStore } from '../../../lib/index.js'
import { acpTerminals } from '../../../lib/surfaces/adapters/acp.js'
import type { AcpTerminalsOptions } from '../../../lib/surfaces/adapters/acp-terminals.js'
import { tempDir } from '../../support/temp-dir.js'

export const sessionId = 'session 1'

export interface Setting {
  agentSide: AgentContext
  terminals: ReturnType<typeof acpTerminals>
  workingDir: string
}

/** What an agent sees whose client has such terminals. */
export const withTerminals = async (
  options: Partial<AcpTerminalsOptions>,
  act: (setting: Setting) => Promise<void>,
): Promise<void> => {
  const workingDir = realpathSync(tempDir())
  const jobs = new JobStore({ directory: tempDir() })
  const terminals = acpTerminals({ workingDir, jobs, ...options })
  const app = terminals.register(client({ name: 'editor' }))
  try {
    await agent({ name: 'agent' }).connectWith(app, (agentSide) => act({ agentSide, terminals, workingDir }))
  } finally {
    await terminals.close()
  }
}

export const failure = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(RequestError)
  return error as RequestError
}
