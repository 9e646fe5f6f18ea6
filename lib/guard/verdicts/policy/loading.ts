// What makes policies. The first one loads it.

export { importClaudeSettings } from './claude-settings.js'
export { importCodexRules } from './codex-rules.js'
export { loadPolicy } from './load-policy.js'
