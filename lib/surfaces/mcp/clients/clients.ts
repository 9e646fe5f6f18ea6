// How MCP clients are told of this server, and how their own shell tool is turned off. All of it stands in the person's own
// files: a project's can be changed by the commands that run there. docs/mcp-clients.md is made from this table.

import type { McpClient } from './client.js'
import { claudeCode, cline, copilot, gemini, opencode, qwen } from './json-clients.js'
import { toml } from './toml.js'

const codex: McpClient = {
  title: 'Codex',
  files: ({ command, args }) => [
    {
      path: '~/.codex/config.toml',
      language: 'toml',
      text: [
        'tool_output_token_limit = 12000',
        '',
        '[features]',
        'shell_tool = false',
        '',
        '[mcp_servers.bashward]',
        `command = ${toml(command)}`,
        `args = ${toml(args)}`,
        'default_tools_approval_mode = "approve"',
        '',
      ].join('\n'),
    },
  ],
  notes: [
    '`shell_tool = false` takes its own shell away.',
    '`default_tools_approval_mode` runs the tools without a question; without it `codex exec` declines each call by itself.',
    '`tool_output_token_limit` shows its model results whole; without it a model may get 12,000 characters.',
    'It does not tell its model which results have failed: the first line of the text does.',
  ],
}

/** In the order of the page. */
export const mcpClients: Readonly<Record<string, McpClient>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  opencode,
  qwen,
  copilot,
  cline,
}
