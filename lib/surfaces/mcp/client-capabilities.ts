// What a client has declared that it can do.

import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** That of the request, in the protocol of 2026; undefined: it is of an earlier one. */
export function requestCapabilities({ mcpReq }: ServerContext): ClientCapabilities | undefined {
  // The library's type of it has no fields.
  const envelope = mcpReq.envelope as Record<string, ClientCapabilities | undefined> | undefined
  return envelope && (envelope[CLIENT_CAPABILITIES_META_KEY] ?? {})
}

/** Whether a person can be asked by a form. */
export function knowsForms(server: Server, context: ServerContext): boolean {
  const { elicitation } = requestCapabilities(context) ?? server.getClientCapabilities() ?? {}
  if (typeof elicitation !== 'object' || elicitation === null) return false
  // One that names no kind knows forms: once there was no other.
  return elicitation.form !== undefined || elicitation.url === undefined
}
