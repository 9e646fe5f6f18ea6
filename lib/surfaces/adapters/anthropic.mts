// bashward/anthropic for `import`: with the ToolError that a runner of `import` knows.

import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError'
import { bindBetaBashTool } from './anthropic-bash.js'
import { bindAnthropicTool } from './anthropic-tool.js'

export type { BetaBashOptions } from './anthropic-bash.js'
export type { AnthropicTool } from './anthropic-tool.js'

export const anthropicTool = bindAnthropicTool(ToolError)
export const betaBashTool = bindBetaBashTool(ToolError)
