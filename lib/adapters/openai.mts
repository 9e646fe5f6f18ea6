// bashward/openai for `import`: with the tool() that a runner of `import` knows.

import { tool } from '@openai/agents'
import { bindOpenaiTool } from './openai-tool.js'

export { openaiShell } from './openai-shell.js'
export { type OpenaiShellTool, type OpenaiShellToolOptions, openaiShellTool } from './openai-shell-tool.js'

export const openaiTool = bindOpenaiTool(tool)
