// The clients whose files are JSON.

import type { ConfigFile, McpClient } from './client.js'
import { toml } from './toml.js'

function json(path: string, value: object): ConfigFile {
  return { path, language: 'json', text: `${JSON.stringify(value, null, 2)}\n` }
}

export const claudeCode: McpClient = {
  title: 'Claude Code',
  files: ({ command, args }) => [
    json('~/.claude.json', { mcpServers: { bashward: { command, args, alwaysLoad: true } } }),
    json('~/.claude/settings.json', { permissions: { allow: ['mcp__bashward'], deny: ['Bash'] } }),
  ],
  notes: [
    '`deny` takes its own shell away.',
    '`allow` runs the tools without a question.',
    'Of a failure it shows 10,000 characters, with both ends.',
    '`alwaysLoad` shows its model the tools at once, with their whole descriptions. Without it the model has to search for them.',
  ],
}

export const gemini: McpClient = {
  title: 'Gemini CLI',
  files: ({ command, args }) => [
    json('~/.gemini/settings.json', { mcpServers: { bashward: { command, args } } }),
    {
      path: '~/.gemini/policies/bashward.toml',
      language: 'toml',
      text: ['deny run_shell_command', 'allow *']
        .map((words) => words.split(' '))
        .map(([decision = '', tool = '']) =>
          [
            '[[rule]]',
            ...(decision === 'allow' ? ['mcpName = "bashward"'] : []),
            `toolName = ${toml(tool)}`,
            `decision = ${toml(decision)}`,
            'priority = 500',
            '',
          ].join('\n'),
        )
        .join('\n'),
    },
  ],
  notes: [
    'The first rule takes its own shell away.',
    'The second one runs the tools without a question.',
    'It runs in directories that a person has told it to trust; `gemini -p` starts in no other.',
  ],
}

export const opencode: McpClient = {
  title: 'opencode',
  files: ({ command, args }) => [
    json('~/.config/opencode/opencode.json', {
      $schema: 'https://opencode.ai/config.json',
      mcp: { bashward: { type: 'local', command: [command, ...args] } },
      permission: { bash: 'deny' },
      tool_output: { max_lines: 30_000 },
    }),
  ],
  notes: [
    '`permission` takes its own shell away.',
    '`max_lines` shows its model results whole; without it the model gets 2000 lines, and not the end.',
    'It runs the tools without a question.',
  ],
}

export const qwen: McpClient = {
  title: 'Qwen Code',
  maxOutput: 10_000,
  files: ({ command, args }) => [
    json('~/.qwen/settings.json', {
      mcpServers: { bashward: { command, args, trust: true, alwaysLoadTools: true } },
      permissions: { deny: ['run_shell_command'] },
    }),
  ],
  notes: [
    '`deny` takes its own shell away.',
    '`trust` runs the tools without a question.',
    '`--max-output`: of more than 30,000 characters its model gets 2000, and a failure it shows twice.',
    '`alwaysLoadTools` shows its model the tools at once, with their whole descriptions. Without it the model has to search for them.',
  ],
}

export const copilot: McpClient = {
  title: 'Copilot CLI',
  maxOutput: 19_000,
  files: ({ command, args }) => [
    json('~/.copilot/mcp-config.json', {
      mcpServers: { bashward: { type: 'local', command, args, tools: ['*'] } },
    }),
  ],
  start: 'copilot --excluded-tools bash read_bash stop_bash list_bash --allow-tool bashward',
  notes: [
    '`--excluded-tools` takes its own shell away.',
    '`--allow-tool` runs the tools without a question.',
    '`--max-output`: of more than 20 KiB its model gets 500 characters.',
  ],
}

export const cline: McpClient = {
  title: 'Cline',
  maxOutput: 6000,
  files: ({ command, args }) => [
    json('~/.cline/data/settings/cline_mcp_settings.json', {
      mcpServers: { bashward: { transport: { type: 'stdio', command, args } } },
    }),
    json('~/.cline/data/settings/global-settings.json', { disabledTools: ['run_commands'] }),
  ],
  notes: [
    '`disabledTools` takes its own shell away.',
    '`--max-output`: it shows 8000 characters of the JSON that it makes of a result.',
    'It runs the tools without a question; with `--auto-approve false` it asks.',
  ],
}
