// bashward/openai for `import`: with the tool() that a runner of `import` knows.

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

export const openaiSandbox = bindOpenaiSandbox(async () => {
  const parts = [import('@openai/agents/sandbox'), import('@openai/agents/sandbox/local')] as const
  const [sandbox, local] = await Promise.all(parts)
  return { applyDiff, sandbox, local }
})
