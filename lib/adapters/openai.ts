// bashward/openai for require(). The same for `import` is in openai.mts.

import { tool } from '@openai/agents'
import { bindOpenaiTool } from './openai-tool.js'

export { openaiShell } from './openai-shell.js'
export { type OpenaiShellTool, type OpenaiShellToolOptions, openaiShellTool } from './openai-shell-tool.js'

export const openaiTool = bindOpenaiTool(tool)
