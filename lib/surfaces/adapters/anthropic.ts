// bashward/anthropic for require(). The same for `import` is in anthropic.mts.

import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError'
import { bindBetaBashTool } from './anthropic-bash.js'
import { bindAnthropicTool } from './anthropic-tool.js'

export type { BetaBashOptions } from './anthropic-bash.js'
export type { AnthropicTool } from './anthropic-tool.js'

export const anthropicTool = bindAnthropicTool(ToolError)
export const betaBashTool = bindBetaBashTool(ToolError)
