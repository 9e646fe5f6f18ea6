// The id of a command's job. One that asks for something else is another job, or the queue would drop it silently and give
// its caller what somebody else's command has printed.

import { requestDigest } from '../../commands/calls/identity.js'
import type { FleetRequest } from './request.js'

/** @param call the name of the call */
export function jobIdOf({ tool, input, workspaceDir, sandbox, session }: FleetRequest, call: string): string {
  const asked = { tool, input, workingDir: workspaceDir, sandbox, session: String(session) }
  return `${call}-${requestDigest(asked)}`
}
