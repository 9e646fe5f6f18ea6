// bashward/openai for require(). The same for `import` is in openai.mts.

import { applyDiff, tool } from '@openai/agents'
import { bindOpenaiSandbox } from './openai-sandbox/client.js'
import { bindOpenaiTool } from './openai-tool.js'

export type { OpenaiSandboxClient } from './openai-sandbox/client.js'
export type { OpenaiSandboxOptions } from './openai-sandbox/options.js'
export type { OpenaiSandboxSession } from './openai-sandbox/session.js'
export type { OpenaiSandboxState } from './openai-sandbox/state.js'
export { openaiShell } from './openai-shell.js'
export { type OpenaiShellTool, type OpenaiShellToolOptions, openaiShellTool } from './openai-shell-tool.js'

export const openaiTool = bindOpenaiTool(tool)

export const openaiSandbox = bindOpenaiSandbox(async () => ({
  applyDiff,
  sandbox: require('@openai/agents/sandbox'),
  local: require('@openai/agents/sandbox/local'),
}))
