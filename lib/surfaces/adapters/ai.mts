// bashward/ai for `import`: the same implementation.

export type * from './ai.js'
export { aiApproval, aiTool, harnessSandbox, sandboxSession } from './ai.js'
