// The same surface for `import`: one implementation, so one BashError class in both worlds.

export type * from './index.js'
export {
  BashError,
  BashSession,
  commandLogChannel,
  createBashSuite,
  createBashTool,
  createExecTool,
  filterEnvironment,
  JobStore,
  probeSandbox,
  protectHost,
  run,
  sandboxChannel,
} from './index.js'
