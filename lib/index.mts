// The same surface for `import`: one implementation, so one BashError class in both worlds.

export type * from './index.js'
export {
  attachLogger,
  BashError,
  BashSession,
  CallLedger,
  checkCommand,
  commandLogChannel,
  createBashSuite,
  createBashTool,
  createExecTool,
  eventText,
  filterEnvironment,
  importClaudeSettings,
  importCodexRules,
  JobStore,
  judgeCommand,
  loadPolicy,
  probeSandbox,
  protectHost,
  run,
  safetyRules,
  sandboxChannel,
  simplifyCommand,
  unknownText,
} from './index.js'
