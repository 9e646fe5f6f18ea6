// bashward/openai for require(). The same for `import` is in openai.mts.

import { tool } from '@openai/agents'
import { bindOpenaiTool } from './openai-tool.js'

export { openaiShell } from './openai-shell.js'

export const openaiTool = bindOpenaiTool(tool)
