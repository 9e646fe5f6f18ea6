// The context of a call of a fleet's tool: what is the machine's own in that of a local tool is not there.

import { checkIdentifier } from '../../../base/util/identifier.js'
import {
  checkAbortSignal,
  checkFlag,
  checkObject,
  checkType,
  invalidInput,
} from '../../../base/util/invalid-input.js'
import type { BashEvent, BashResult } from '../../../commands/run/result.js'
import { checkSandbox, type SandboxMode, type SandboxPolicy } from '../../../guard/sandbox/policy.js'
import { checkWellFormed } from '../well-formed.js'
import { checkWorkspaceDir } from '../workspace-dir.js'

/** What all calls of a tool have in common; a context may say something else. */
export interface FleetCallDefaults {
  /** Told apart from the same ids of other tenants; its calls are counted together. 1 to 1024 bytes. Default: none. */
  tenant?: string | undefined
  /** Where in the directory of its conversation a call runs: a relative path. Default: that directory. */
  workspaceDir?: string | undefined
  /** Whether a call goes on when its client is gone. Default false. */
  detached?: boolean | undefined
}

export interface FleetContext<Result = BashResult> extends FleetCallDefaults {
  /** 1 to 1024 bytes. It has a directory of its own on one of the workers, and runs one call at a time. */
  conversationId: string
  /** The model's id of its tool call, 1 to 1024 bytes: it names the call, which starts once, however often it is sent. */
  toolCallId: string
  /** Aborting it kills the command and everything it started. */
  cancel?: AbortSignal | undefined
  /** Called with `start`, pieces of output, and `result`. */
  onEvent?: ((event: BashEvent<Result>) => void) | undefined
  /** Stricter than what the worker has; it never gives less protection. Default: the worker's. */
  sandbox?: SandboxMode | SandboxPolicy | undefined
  /** The W3C trace context of the call: the worker's events have it, too. */
  traceparent?: string | undefined
}

export interface ResolvedFleetContext<Result> {
  conversationId: string
  toolCallId: string
  tenant: string | undefined
  workspaceDir: string | undefined
  detached: boolean
  cancel: AbortSignal | undefined
  onEvent: ((event: BashEvent<Result>) => void) | undefined
  sandbox: SandboxMode | SandboxPolicy | undefined
  traceparent: string | undefined
}

const names = [
  ...['conversationId', 'toolCallId', 'tenant', 'workspaceDir', 'detached', 'cancel', 'onEvent', 'sandbox'],
  'traceparent',
] as const satisfies readonly (keyof FleetContext)[]
/** Of a local tool's context. Adapters have them, and leave them undefined. */
const localNames = ['workingDir', 'session', 'policy'] as const
const defaultNames = [
  ...['tenant', 'workspaceDir', 'detached'],
] as const satisfies readonly (keyof FleetCallDefaults)[]

/** @throws {BashError} ERR_INVALID_INPUT naming the field */
export function resolveFleetContext<Result>(
  context: unknown,
  defaults: FleetCallDefaults,
): ResolvedFleetContext<Result> {
  const fields = checkObject('context', context, [...names, ...localNames])
  for (const name of localNames) {
    if (fields[name] === undefined) continue
    const need = `must be left out: ${localHints[name]}`
    throw invalidInput(`context.${name}`, need, fields[name])
  }
  const { tenant, workspaceDir, detached, sandbox, traceparent, cancel, onEvent } = fields
  checkWellFormed('context.traceparent', traceparent)
  checkWellFormed('context.sandbox', sandbox)
  const own = checkDefaults('context', { tenant, workspaceDir, detached })
  return {
    conversationId: checkIdentifier('context.conversationId', fields.conversationId),
    toolCallId: checkIdentifier('context.toolCallId', fields.toolCallId),
    tenant: own.tenant ?? defaults.tenant,
    workspaceDir: own.workspaceDir ?? defaults.workspaceDir,
    detached: own.detached ?? defaults.detached ?? false,
    cancel: checkAbortSignal('context.cancel', cancel),
    onEvent: checkType<(event: BashEvent<Result>) => void>('context.onEvent', onEvent, 'function'),
    // As it was given: a worker checks it, too, and may have another version.
    sandbox: checkAsked(sandbox),
    traceparent: checkType<string>('context.traceparent', traceparent, 'string'),
  }
}

const localHints = {
  workingDir: 'paths are those of the worker; workspaceDir is relative to the conversation’s directory',
  session: 'the worker has the conversation’s',
  policy: 'verdicts are the worker’s',
}

function checkAsked(sandbox: unknown): SandboxMode | SandboxPolicy | undefined {
  if (sandbox === undefined) return undefined
  checkSandbox('context.sandbox', sandbox)
  return sandbox as SandboxMode | SandboxPolicy
}

/** @throws {BashError} ERR_INVALID_INPUT naming the field */
export function checkDefaults(field: string, value: unknown): FleetCallDefaults {
  const { tenant, workspaceDir, detached } = checkObject(field, value, defaultNames)
  return {
    tenant: tenant === undefined ? undefined : checkIdentifier(`${field}.tenant`, tenant),
    workspaceDir: checkWorkspaceDir(`${field}.workspaceDir`, workspaceDir),
    detached: detached === undefined ? undefined : checkFlag(`${field}.detached`, detached),
  }
}
