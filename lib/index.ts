// The public surface of the package.

export { type AttachOptions, CallLedger } from './calls/call-ledger.js'
export type { CallIdentity, CallLedgerOptions, CallStatus } from './calls/ledger-options.js'
export type { Usage } from './engine/completion.js'
export type { JobExit } from './engine/job-format/exit.js'
export type { EnvironmentOptions } from './environment/environment-options.js'
export { type FilteredEnvironment, filterEnvironment } from './environment/filter.js'
export { type HostProtection, protectHost } from './environment/protect-host.js'
export type { RedactOptions } from './environment/redact-option.js'
export { BashError, type BashErrorCode, type BashErrorOptions, type SystemFailure } from './errors.js'
export type { WaitingFor, WaitingKind } from './explain/waiting-for.js'
export type { Job, JobStatus } from './jobs/job.js'
export type { KillJobResult } from './jobs/kill.js'
export type { ListeningSocket } from './jobs/listening/socket.js'
export type { JobOutput, ReadJobOptions } from './jobs/read.js'
export type { JobRecord } from './jobs/record.js'
export type { RedactJobOptions } from './jobs/redaction.js'
export {
  type ExplainJobOptions,
  JobStore,
  type JobStoreOptions,
  type KillJobOptions,
  type ListJobsOptions,
} from './jobs/store.js'
export type { WaitedJob, WaitJobOptions } from './jobs/wait.js'
export {
  eventText,
  type JobEndEvent,
  type JobEvent,
  type JobListeningEvent,
  type JobMatchEvent,
  type JobOverflowEvent,
  type JobQuietEvent,
} from './jobs/watch/event.js'
export type { WatchJobsOptions } from './jobs/watch/watch-options.js'
export type { JobEvents } from './jobs/watch/watching.js'
export { simplifyCommand } from './output/simplify-command.js'
export type { ErrorLinesOptions } from './run/command-options.js'
export type { RunOptions } from './run/options.js'
export type {
  BashEvent,
  BashResult,
  BashStatus,
  OutputEvent,
  SeparateStreams,
  Survivor,
} from './run/result.js'
export { run } from './run/run.js'
export type { SaveOutputOptions } from './run/save-output.js'
export { checkCommand } from './safety/check-command.js'
export type { CheckOptions, RuleOptions } from './safety/options.js'
export type { Argument, CheckedCommand, SafetyRule } from './safety/rule.js'
export { unknownText } from './safety/rule.js'
export { safetyRules } from './safety/rules/table.js'
export type { Match, Verdict } from './safety/verdict.js'
export type { Denial, DenialOperation } from './sandbox/denials.js'
export type { SandboxMode, SandboxName, SandboxPolicy } from './sandbox/policy.js'
export {
  type ProtectionReport,
  probeSandbox,
  type SandboxReport,
  type WorkspaceReport,
} from './sandbox/probe.js'
export type { Protection } from './sandbox/protections.js'
export type { ResourceLimits } from './sandbox/resource-limits.js'
export {
  type HostCodeEvent,
  type SandboxEvent,
  type SandboxUnavailableEvent,
  sandboxChannel,
} from './sandbox/sandbox-events.js'
export type { ScratchOptions } from './sandbox/scratch.js'
export { BashSession, type BashSessionOptions } from './session/bash-session.js'
export type { RestoreOptions, SessionSnapshot, SnapshotOptions } from './session/snapshot.js'
export type { AskPerson, SecretAnswer, SecretQuestion } from './terminal/ask-person.js'
export type {
  JobTerminal,
  SecretPlace,
  Typed,
  WaitTerminalOptions,
  WriteOptions,
  WriteSecretOptions,
} from './terminal/job-terminal.js'
export type { ScreenParts } from './terminal/orders.js'
export type { ShownScreen, TerminalFields, TerminalReport } from './terminal/report.js'
export type { NoScreen, Screen, ScreenAnswer, StyledRun } from './terminal/screen.js'
export type { SecretPrompt } from './terminal/secret-prompt.js'
export type { TerminalSizeOptions } from './terminal/size.js'
export type { TerminalReason, TerminalState } from './terminal/state.js'
export type { TerminalVerdict } from './terminal/verdict.js'
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
export type { JsonSchema } from './util/schema/json-schema.js'
export type { InputSchema } from './util/schema/standard-schema.js'
export { judgeCommand } from './verdicts/judge-command.js'
export type { JudgeOptions } from './verdicts/judge-options.js'
export type { Decision, Effect, Judgement, Reason } from './verdicts/judgement.js'
export { importClaudeSettings, importCodexRules, loadPolicy } from './verdicts/policies.js'
export type { Imported, ImportOptions, RefusedRule } from './verdicts/policy/import.js'
export type { Policy, PolicyData, PolicyRule } from './verdicts/policy/policy.js'
