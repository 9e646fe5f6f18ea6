// Checking a ToolContext: it comes from the host program, but often through a framework's untyped hands. A field that is
// misspelt would be ignored, and a command run without what it asks for.

import { resolveDirectory } from '../base/util/directories.js'
import { checkAbortSignal, checkObject, checkType, invalidInput } from '../base/util/invalid-input.js'
import { type FieldHint, synonymHint } from '../base/util/unknown-field.js'
import type { JobOwner } from '../commands/jobs/plan.js'
import type { BashEvent, BashResult } from '../commands/run/result.js'
import { BashSession } from '../commands/session/bash-session.js'
import { type CheckedPolicy, checkSandbox, type SandboxName } from '../guard/sandbox/policy.js'
import { checkPolicy } from '../guard/verdicts/policy/check-policy.js'
import type { Policy } from '../guard/verdicts/policy/policy.js'
import type { MarkPlan } from '../processes/engine/request.js'
import { toolOptionNames } from './tool-options.js'
import type { ToolContext } from './types.js'
import { isMarkedApproved } from './verdicts/approved.js'

export interface ResolvedContext<Result = BashResult> {
  workingDir: string
  sandbox: SandboxName
  /** Of `'custom'`. */
  policy: CheckedPolicy | undefined
  owner: JobOwner
  session: BashSession | undefined
  cancel: AbortSignal | undefined
  onEvent: ((event: BashEvent<Result>) => void) | undefined
  /** Rules of the conversation. */
  rules: Policy | undefined
  /** As it was given, for functions of the host. */
  given: ToolContext
  /** Whether a framework has asked a person about this call. */
  isApproved: boolean
  /** Of a call that may start once. */
  mark?: MarkPlan
}

/** The fields, and what else they are called. */
const fieldNames: Readonly<Record<keyof ToolContext, readonly string[]>> = {
  workingDir: ['cwd', 'dir', 'directory', 'workdir', 'workingdirectory', 'currentdirectory'],
  cancel: ['signal', 'abort', 'abortsignal', 'cancelsignal', 'cancellation'],
  sandbox: ['sandboxmode', 'sandboxed', 'restricted', 'isolation', 'sandboxpolicy'],
  conversationId: ['conversation', 'thread', 'threadid', 'chatid'],
  toolCallId: ['callid', 'toolcall', 'tooluseid'],
  session: ['bashsession'],
  onEvent: ['onoutput', 'ondata', 'listener'],
  policy: ['rules', 'permissions', 'verdictpolicy'],
}
const names = Object.keys(fieldNames)
const fieldMeant = synonymHint(fieldNames)

const toolOptions = [...toolOptionNames, 'timeoutMs']

const contextHint: FieldHint = (word) => {
  const option = toolOptions.find((name) => name.toLowerCase() === word)
  return fieldMeant(word) ?? (option && `${option} belongs in the options of the tool`)
}

/** For the options of tools: what of them belongs in the context. */
export const misplacedField: FieldHint = (word) => {
  const name = fieldMeant(word)
  return name === undefined ? undefined : `${name} belongs in the context of a call`
}

export type ContextFields = { [Name in keyof ToolContext]?: unknown }

/**
 * The fields that a context has, each read once; those that its class or prototype has count, too.
 *
 * @throws {BashError} ERR_INVALID_INPUT when `context` is no object, or has a field that is not known
 */
export function contextFields(context: unknown): ContextFields {
  return checkObject('context', context, names, contextHint)
}

/** @throws {BashError} ERR_INVALID_INPUT naming the field; ERR_WORKING_DIR */
export function resolveContext<Result>(context: ToolContext<Result>): ResolvedContext<Result> {
  const { session, workingDir: given, ...common } = resolveCommonFields<Result>(context)
  const { sandbox, policy } = common
  const asked = sandbox === 'custom' ? (policy ?? 'restricted') : sandbox
  if (session !== undefined && !(session instanceof BashSession)) {
    throw invalidInput('context.session', 'must be a BashSession', session)
  }
  // With a session `workingDir` is where it began, if it is given at all.
  const workingDir = session?.workingDirIn(asked) ?? resolveDirectory('context.workingDir', given)
  return { ...common, session, workingDir }
}

type CommonFields<Result> = Pick<
  ResolvedContext<Result>,
  'sandbox' | 'policy' | 'owner' | 'cancel' | 'onEvent' | 'rules' | 'given' | 'isApproved'
>

/**
 * Those that are the same for every tool, and the others as they are.
 *
 * @throws {BashError} ERR_INVALID_INPUT naming the field
 */
export function resolveCommonFields<Result>(
  context: unknown,
): CommonFields<Result> & Pick<ContextFields, 'workingDir' | 'session'> {
  const fields = contextFields(context)
  const { cancel, onEvent, conversationId, toolCallId, sandbox, workingDir, session } = fields
  const asked = checkSandbox('context.sandbox', sandbox)
  return {
    cancel: checkAbortSignal('context.cancel', cancel),
    onEvent: checkType<(event: BashEvent<Result>) => void>('context.onEvent', onEvent, 'function'),
    owner: {
      conversationId: checkType<string>('context.conversationId', conversationId, 'string'),
      toolCallId: checkType<string>('context.toolCallId', toolCallId, 'string'),
    },
    ...(typeof asked === 'string'
      ? { sandbox: asked, policy: undefined }
      : { sandbox: 'custom', policy: asked }),
    rules: checkPolicy('context.policy', fields.policy),
    given: context as ToolContext,
    isApproved: isMarkedApproved(context),
    workingDir,
    session,
  }
}
