// bashward/ai for `import`: the same implementation.

export type * from './ai.js'
export { aiTool, sandboxSession } from './ai.js'
