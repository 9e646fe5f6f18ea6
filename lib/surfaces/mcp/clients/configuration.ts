// The configuration of a client, for a person to read and copy.

import type { McpClient, ServerCommand } from './client.js'
import { mcpClients } from './clients.js'

export const clientNames = Object.keys(mcpClients)

/** @param name one of `clientNames` */
export function clientNamed(name: string): McpClient {
  const client = Object.hasOwn(mcpClients, name) ? mcpClients[name] : undefined
  if (client === undefined) throw new Error(`no client ${name}`)
  return client
}

/** @param options of `bashward mcp`; what the client needs besides is added, unless it is among them */
export function serverFor(
  { maxOutput }: McpClient,
  command: string,
  options: readonly string[],
): ServerCommand {
  const isGiven = maxOutput === undefined || options.includes('--max-output')
  return { command, args: ['mcp', ...options, ...(isGiven ? [] : ['--max-output', String(maxOutput)])] }
}

/** What `bashward mcp --print-config` prints. */
export function configurationText(client: McpClient, server: ServerCommand): string {
  const { files, start, notes } = client
  return [
    ...files(server).map(({ path, text }) => `In ${path}:\n\n${text}`),
    ...(start === undefined ? [] : [`Start it with:\n\n${start}\n`]),
    `${notes.map((note) => note.replaceAll('`', '')).join('\n')}\n`,
  ].join('\n')
}

/** The same for a page. */
export function configurationMarkdown(client: McpClient, server: ServerCommand): string {
  const { files, start, notes } = client
  return [
    ...files(server).map(
      ({ path, language, text }) => `In \`${path}\`:\n\n\`\`\`${language}\n${text}\`\`\`\n`,
    ),
    ...(start === undefined ? [] : [`Start it with:\n\n\`\`\`sh\n${start}\n\`\`\`\n`]),
    `${notes.map((note) => `- ${note}`).join('\n')}\n`,
  ].join('\n')
}
