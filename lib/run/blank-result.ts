// A result that says nothing yet.

import type { BashResult, BashStatus, SandboxMode } from './result.js'

/** What is the same in every result of a command, whatever became of it. */
export function blankResult(
  command: string,
  status: BashStatus,
  sandbox: SandboxMode = 'unrestricted',
): BashResult {
  return {
    status,
    command,
    display: command,
    output: '',
    exitCode: null,
    signal: null,
    durationMs: 0,
    outputBytes: 0,
    truncated: false,
    binary: false,
    sandbox,
    enforced: [],
    survivors: [],
    usage: null,
    removedEnv: [],
  }
}
