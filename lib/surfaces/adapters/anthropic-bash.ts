// What takes the place of the Anthropic SDK's own betaBashTool: the same input, another engine.

import { checkObject } from '../../base/util/invalid-input.js'
import { synonymHint } from '../../base/util/unknown-field.js'
import type { CallLedger } from '../../commands/calls/call-ledger.js'
import type { LimitsOption } from '../../commands/run/command-options.js'
import { BashSession } from '../../commands/session/bash-session.js'
import { createSuiteBash, type InputNotes } from '../../tools/suite/bash.js'
import { defaultTimeoutMs, maxTimeoutMs } from '../../tools/suite/schemas.js'
import { type BashSuiteOptions, resolveSuite, suiteOptionNames } from '../../tools/suite/suite.js'
import type { BackgroundOptions, ToolOptions } from '../../tools/tool-options.js'
import type { ToolContext } from '../../tools/types.js'
import { type AnthropicTool, bindAnthropicTool, type ToolErrorClass } from './anthropic-tool.js'

export interface BetaBashOptions
  extends ToolOptions,
    LimitsOption,
    BackgroundOptions,
    Pick<BashSuiteOptions, 'saveOutput' | 'errorLines'>,
    Pick<ToolContext, 'sandbox' | 'conversationId'> {
  /** Where the first command runs, and the first after a restart. */
  workdir: string
}

/** The SDK's toolset has nothing to read a job with, nor to type into it. */
const isOfBash = (name: keyof BashSuiteOptions) =>
  name !== 'session' && name !== 'backgroundAfter' && name !== 'tty'

const optionNames = [
  'workdir',
  'sandbox',
  'conversationId',
  ...suiteOptionNames.filter(isOfBash),
] as const satisfies readonly (keyof BetaBashOptions)[]

const optionMeant = synonymHint({ workdir: ['workingdir', 'workingdirectory', 'cwd', 'dir', 'directory'] })

type BetaBashInput = { [Name in keyof typeof inputSchema.properties]?: unknown }

const inputSchema = {
  type: 'object',
  properties: {
    command: { type: 'string', description: 'The command to run' },
    restart: { type: 'boolean', description: 'Forget what earlier commands have left, before running' },
    timeout_ms: {
      type: 'integer',
      description: 'Per-call timeout in milliseconds (default 120000, max 600000)',
    },
  },
} as const

const input: InputNotes = {
  description: `With restart the session begins anew, in the directory where it began.
timeout_ms is in milliseconds: ${defaultTimeoutMs} by default, ${maxTimeoutMs} at most.`,
  moreTimeThan: (timeoutMs) => (timeoutMs < maxTimeoutMs ? `timeout_ms (up to ${maxTimeoutMs})` : undefined),
}

/** @returns the function `betaBashTool` of `bashward/anthropic` */
export function bindBetaBashTool(ToolError: ToolErrorClass) {
  const anthropicTool = bindAnthropicTool(ToolError)
  /**
   * The tool `bash` `{command, restart?, timeout_ms?}` of the SDK's agent toolset, with the suite's Bash behind it.
   * Variables, functions and the directory persist from command to command; a timeout or a cancel costs nothing of it.
   *
   * @throws {BashError} ERR_INVALID_INPUT
   */
  return function betaBashTool(given: BetaBashOptions): AnthropicTool {
    const checked = checkObject('options', given, optionNames, optionMeant) as unknown as BetaBashOptions
    const { workdir, sandbox, conversationId, ...options } = checked
    const bash = createSuiteBash({ ...resolveSuite({ ...options, session: false }), input })
    const context = { workingDir: workdir, sandbox, conversationId, session: newSession() }
    function newSession(): BashSession {
      return new BashSession({ workingDir: workdir })
    }
    const tool = anthropicTool(bash, context)
    return {
      ...tool,
      name: 'bash',
      input_schema: inputSchema,
      run: async (fields: BetaBashInput | null, call) => {
        const { restart, timeout_ms: timeout, ...rest } = fields ?? {}
        if (restart === true && !(await hasStarted(options.calls, conversationId, call?.toolUse.id))) {
          context.session = newSession()
        }
        if (restart === true && rest.command === undefined) return 'bash session restarted'
        return await tool.run({ ...rest, ...(timeout !== undefined && { timeout }) }, call)
      },
    }
  }
}

/** Of a call that has run before nothing is done again: what its command has left stays. */
async function hasStarted(
  calls: CallLedger | undefined,
  conversationId: string | undefined,
  callId: string | undefined,
): Promise<boolean> {
  if (calls === undefined || callId === undefined) return false
  // What is wrong with the ledger is told by the call itself.
  const known = await calls.status({ callId, conversationId }).catch(() => undefined)
  return known !== undefined && known.status !== 'never'
}
