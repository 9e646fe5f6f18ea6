// The public surface of the package.

export { BashError, type BashErrorCode, type BashErrorOptions, type SystemFailure } from './base/errors.js'
export type { JsonSchema } from './base/util/schema/json-schema.js'
export type { InputSchema } from './base/util/schema/standard-schema.js'
export { type AttachOptions, CallLedger } from './commands/calls/call-ledger.js'
export type { CallIdentity, CallLedgerOptions, CallStatus } from './commands/calls/ledger-options.js'
export type { Job, JobStatus } from './commands/jobs/job.js'
export type { KillJobResult } from './commands/jobs/kill.js'
export type { ListeningSocket } from './commands/jobs/listening/socket.js'
export type { JobOutput, ReadJobOptions } from './commands/jobs/read.js'
export type { JobRecord } from './commands/jobs/record.js'
export type { RedactJobOptions } from './commands/jobs/redaction.js'
export {
  type ExplainJobOptions,
  JobStore,
  type JobStoreOptions,
  type KillJobOptions,
  type ListJobsOptions,
} from './commands/jobs/store.js'
export type { WaitedJob, WaitJobOptions } from './commands/jobs/wait.js'
export {
  eventText,
  type JobEndEvent,
  type JobEvent,
  type JobListeningEvent,
  type JobMatchEvent,
  type JobOverflowEvent,
  type JobQuietEvent,
} from './commands/jobs/watch/event.js'
export type { WatchJobsOptions } from './commands/jobs/watch/watch-options.js'
export type { JobEvents } from './commands/jobs/watch/watching.js'
export type { ErrorLinesOptions } from './commands/run/command-options.js'
export type { RunOptions } from './commands/run/options.js'
export type {
  BashEvent,
  BashResult,
  BashStatus,
  OutputEvent,
  SeparateStreams,
  Survivor,
} from './commands/run/result.js'
export { run } from './commands/run/run.js'
export type { SaveOutputOptions } from './commands/run/save-output.js'
export { BashSession, type BashSessionOptions } from './commands/session/bash-session.js'
export type { RestoreOptions, SessionSnapshot, SnapshotOptions } from './commands/session/snapshot.js'
export { checkCommand } from './guard/safety/check-command.js'
export type { CheckOptions, RuleOptions } from './guard/safety/options.js'
export type { Argument, CheckedCommand, SafetyRule } from './guard/safety/rule.js'
export { unknownText } from './guard/safety/rule.js'
export { safetyRules } from './guard/safety/rules/table.js'
export type { Match, Verdict } from './guard/safety/verdict.js'
export type { Denial, DenialOperation } from './guard/sandbox/denials.js'
export type { SandboxMode, SandboxName, SandboxPolicy } from './guard/sandbox/policy.js'
export {
  type ProtectionReport,
  probeSandbox,
  type SandboxReport,
  type WorkspaceReport,
} from './guard/sandbox/probe.js'
export type { Protection } from './guard/sandbox/protections.js'
export type { ResourceLimits } from './guard/sandbox/resource-limits.js'
export {
  type HostCodeEvent,
  type SandboxEvent,
  type SandboxUnavailableEvent,
  sandboxChannel,
} from './guard/sandbox/sandbox-events.js'
export type { ScratchOptions } from './guard/sandbox/scratch.js'
export { judgeCommand } from './guard/verdicts/judge-command.js'
export type { JudgeOptions } from './guard/verdicts/judge-options.js'
export type { Decision, Effect, Judgement, Reason } from './guard/verdicts/judgement.js'
export { importClaudeSettings, importCodexRules, loadPolicy } from './guard/verdicts/policies.js'
export type { Imported, ImportOptions, RefusedRule } from './guard/verdicts/policy/import.js'
export type { Policy, PolicyData, PolicyRule } from './guard/verdicts/policy/policy.js'
export type { Usage } from './processes/engine/completion.js'
export type { JobExit } from './processes/engine/job-format/exit.js'
export type { EnvironmentOptions } from './processes/environment/environment-options.js'
export { type FilteredEnvironment, filterEnvironment } from './processes/environment/filter.js'
export { type HostProtection, protectHost } from './processes/environment/protect-host.js'
export type { RedactOptions } from './processes/environment/redact-option.js'
export { simplifyCommand } from './processes/output/simplify-command.js'
export type { WaitingFor, WaitingKind } from './terminals/explain/waiting-for.js'
export type { AskPerson, SecretAnswer, SecretQuestion } from './terminals/terminal/ask-person.js'
export type {
  JobTerminal,
  SecretPlace,
  Typed,
  WaitTerminalOptions,
  WriteOptions,
  WriteSecretOptions,
} from './terminals/terminal/job-terminal.js'
export type { ScreenParts } from './terminals/terminal/orders.js'
export type { ShownScreen, TerminalFields, TerminalReport } from './terminals/terminal/report.js'
export type { NoScreen, Screen, ScreenAnswer, StyledRun } from './terminals/terminal/screen.js'
export type { SecretPrompt } from './terminals/terminal/secret-prompt.js'
export type { TerminalSizeOptions } from './terminals/terminal/size.js'
export type { TerminalReason, TerminalState } from './terminals/terminal/state.js'
export type { TerminalVerdict } from './terminals/terminal/verdict.js'
export { attachLogger, type CommandLogger } from './tools/attach-logger.js'
export type { BashInput, BashMode } from './tools/bash-schema.js'
export { type BashTool, type BashToolOptions, createBashTool } from './tools/bash-tool.js'
export {
  type CommandEndEvent,
  type CommandErrorEvent,
  type CommandLogEvent,
  type CommandStartEvent,
  commandLogChannel,
} from './tools/call/command-log.js'
export type { ExecResult } from './tools/exec-result.js'
export {
  createExecTool,
  type ExecContext,
  type ExecInput,
  type ExecTool,
  type ExecToolOptions,
} from './tools/exec-tool.js'
export type { SafetyOptions } from './tools/safety.js'
export type { SuiteBashTool } from './tools/suite/bash.js'
export type { BashOutputTool } from './tools/suite/bash-output.js'
export type { BashOutputResult } from './tools/suite/bash-output-result.js'
export type { KillBashResult, KillBashTool } from './tools/suite/kill-bash.js'
export type { BashOutputInput, KillBashInput, SuiteBashInput } from './tools/suite/schemas.js'
export {
  type BashSuite,
  type BashSuiteOptions,
  createBashSuite,
  type TerminalSuite,
} from './tools/suite/suite.js'
export type { BashInputResult, BashInputTool } from './tools/tty/bash-input.js'
export type { BashInputInput } from './tools/tty/schemas.js'
export type { TtyOptions } from './tools/tty-option.js'
export type { Tool, ToolContext } from './tools/types.js'
export type {
  ApprovalAnswer,
  ApprovalCall,
  ApprovalRequest,
  Approve,
  InputRequest,
  Remembered,
  VerdictOptions,
} from './tools/verdicts/options.js'
