// What the tools of a fleet have from those of the package: inputs, results and texts.

import type { BashErrorCode } from '../../../base/errors.js'
import { checkCommandText } from '../../../commands/run/command-text.js'
import { type BashResult, blankResult } from '../../../commands/run/result.js'
import type { Restriction } from '../../../guard/sandbox/description.js'
import {
  checkSandbox,
  type SandboxMode,
  type SandboxPolicy,
  sandboxOfMode,
} from '../../../guard/sandbox/policy.js'
import { suiteMaxCharacters } from '../../../processes/output/profile.js'
import { type BashInput, bashSchema, defaultTimeouts, describeBashTool } from '../../../tools/bash-schema.js'
import { bashText, joinLines } from '../../../tools/bash-text.js'
import { describeRules, resolveSafety } from '../../../tools/safety.js'
import { describeSuiteBash, ownInputNotes, suiteText } from '../../../tools/suite/bash.js'
import { createBashOutputTool } from '../../../tools/suite/bash-output.js'
import type { BashOutputResult } from '../../../tools/suite/bash-output-result.js'
import { blankOutput } from '../../../tools/suite/bash-output-result.js'
import { createKillBashTool, type KillBashResult } from '../../../tools/suite/kill-bash.js'
import {
  type BashOutputInput,
  defaultTimeoutMs,
  type KillBashInput,
  maxWaitMs,
  type SuiteBashInput,
  bashSchema as suiteBashSchema,
} from '../../../tools/suite/schemas.js'
import type { Refusal } from '../failures.js'
import type { FleetResult, ToolTemplate } from './tools.js'

const restrictionOf = (sandbox: SandboxMode | SandboxPolicy): Restriction | undefined => {
  const checked = checkSandbox('context.sandbox', sandbox)
  if (checked === 'unrestricted') return undefined
  const { name, policy } =
    typeof checked === 'string' ? sandboxOfMode(checked) : { name: 'custom' as const, policy: checked }
  return { scratch: name === 'workspace', missing: [], sandbox: name, policy, base: '.' }
}

/** The worker checks commands; these are the rules that it has unless it was told otherwise. */
const rules = () => describeRules({ safety: resolveSafety() })

const commandResult = {
  failed(status: 'invalid' | 'error' | 'cancelled', input: unknown, { code, message }: Refusal): FleetResult {
    const { command } = (input ?? {}) as { command?: unknown }
    const result = blankResult(typeof command === 'string' ? command : '', status)
    return status === 'cancelled' ? result : { ...result, error: { code, message } }
  },
  complete: (result: Record<string, unknown>, { command }: { command: string }): FleetResult => ({
    ...blankResult(command, 'error'),
    ...(result as Partial<FleetResult>),
    command,
  }),
}

/** The model is to know what is not there any more. */
const withReset =
  (text: (result: BashResult) => string) =>
  (result: FleetResult): string => {
    const reset = result.fleet?.sessionReset
    return reset === undefined
      ? text(result)
      : joinLines(
          text(result),
          `[session reset: variables, functions and the directory are as at its beginning (${reset})]`,
        )
  }

export function bashTemplate(session: boolean): ToolTemplate<BashInput, FleetResult> {
  return {
    name: 'bash',
    tool: 'bash',
    inputSchema: bashSchema(defaultTimeouts),
    toText: withReset(bashText),
    describe: (workspaceDir, sandbox) =>
      describeBashTool(workspaceDir, restrictionOf(sandbox), rules(), session),
    check: ({ command }) => checkCommandText(command),
    // A background job is started, and not waited for.
    limitMs: ({ mode = 'default' }) => defaultTimeouts[mode === 'background' ? 'default' : mode],
    ...commandResult,
  }
}

export function suiteBashTemplate(session: boolean): ToolTemplate<SuiteBashInput, FleetResult> {
  return {
    name: 'Bash',
    tool: 'Bash',
    inputSchema: suiteBashSchema,
    toText: withReset(suiteText),
    describe: (workspaceDir, sandbox) =>
      describeSuiteBash(
        workspaceDir,
        session,
        restrictionOf(sandbox),
        rules(),
        ownInputNotes.description,
        suiteMaxCharacters,
      ),
    check: ({ command }) => checkCommandText(command),
    limitMs: ({ timeout = defaultTimeoutMs, run_in_background: background }) =>
      background ? defaultTimeoutMs : timeout,
    ...commandResult,
  }
}

/** Never called: jobs are on workers. */
const noStore = (): never => {
  throw new Error('a fleet has no store of its own')
}

export function bashOutputTemplate(): ToolTemplate<BashOutputInput, BashOutputResult> {
  const { name, inputSchema, toText, description } = createBashOutputTool(noStore)
  return {
    name,
    tool: 'BashOutput',
    inputSchema,
    toText,
    describe: () => description({ workingDir: '/' }),
    limitMs: ({ wait_ms: wait = maxWaitMs }) => wait,
    failed: (_status, _input, error) => ({ ...blankOutput, status: 'error', error }),
    complete: (result) => result as unknown as BashOutputResult,
  }
}

export function killBashTemplate(): ToolTemplate<KillBashInput, KillBashResult> {
  const { name, inputSchema, toText, description } = createKillBashTool(noStore)
  return {
    name,
    tool: 'KillBash',
    inputSchema,
    toText,
    describe: () => description({ workingDir: '/' }),
    limitMs: () => killMs,
    failed: (_status, _input, { code, message }) => ({
      status: 'error',
      error: { code: code as BashErrorCode, message },
    }),
    complete: (result) => result as unknown as KillBashResult,
  }
}

const killMs = 30_000
