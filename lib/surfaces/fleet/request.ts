// A request to a worker: what it says, and how its bytes are read. The bytes that were signed are what counts: a request
// is never made anew from what it says.

import { BashError, messageOf } from '../../base/errors.js'
import { checkIdentifier } from '../../base/util/identifier.js'
import {
  checkFlag,
  checkInteger,
  checkObject,
  checkOneOf,
  checkType,
  invalidInput,
} from '../../base/util/invalid-input.js'
import { checkSandbox, type SandboxMode, type SandboxPolicy } from '../../guard/sandbox/policy.js'
import { checkWorkerName } from './names.js'
import { checkWorkspaceDir } from './workspace-dir.js'

export const toolNames = ['bash', 'Bash', 'BashOutput', 'KillBash'] as const
export type ToolName = (typeof toolNames)[number]

/**
 * - `run`: call a tool
 * - `status`: what has become of a call, also of an earlier process of the worker
 * - `attach`: the same, and from now on its live output
 * - `output`: a range of what a command has printed
 * - `release`: end a conversation: its jobs, its session, its directory
 */
export const operations = ['run', 'status', 'attach', 'output', 'release'] as const
export type Operation = (typeof operations)[number]

export interface FleetRequest {
  version: 1
  operation: Operation
  /** Whom it is for, and which process of that. */
  worker: string
  incarnation: string
  /** Of the conversation's binding. Compared, never calculated with. */
  epoch: string
  /** Milliseconds of Redis's clock: after that it must not start. */
  notAfter: number
  /** Whose inbox takes the answer, and what proves that it is one. */
  client: string
  reply: string
  /** Of each sending of the same call another one. */
  sending: string
  tenant?: string | undefined
  conversationId: string
  toolCallId: string
  tool: ToolName
  input: unknown
  /** Relative to the conversation's directory. */
  workspaceDir?: string | undefined
  /** Undefined: the worker's own. */
  sandbox?: SandboxMode | SandboxPolicy | undefined
  /** Whether the call takes part in the conversation's session. */
  session: boolean
  /** Whether somebody follows its output. */
  live: boolean
  /** Whether it goes on when its client is gone. */
  detached: boolean
  traceparent?: string | undefined
}

/** What a job of the queue has. */
export interface SignedRequest {
  /** JSON of a {@link FleetRequest}. */
  body: string
  /** The name of the key, see `keyName`. */
  key: string
  /** Base64. */
  signature: string
}

const token = /^[0-9a-f]{16,64}$/

/**
 * @param text bytes whose signature was found good: its writer may use the fleet, and may still have made a mistake
 * @throws {BashError} ERR_INVALID_INPUT naming the field
 */
export function readRequest(text: string): FleetRequest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new BashError('ERR_INVALID_INPUT', `request: must be JSON (${messageOf(cause)})`, { cause })
  }
  const fields = checkObject('request', value, names)
  for (const [name, field] of Object.entries(fields)) checkWellFormed(`request.${name}`, field)
  if (fields.version !== 1) throw invalidInput('request.version', 'must be 1', fields.version)
  const { tenant, workspaceDir, sandbox, traceparent } = fields
  const required = (name: keyof FleetRequest & string) => checkIdentifier(`request.${name}`, fields[name])
  return {
    version: 1,
    operation: checkOneOf('request.operation', fields.operation, operations),
    worker: checkWorkerName('request.worker', fields.worker),
    incarnation: checkToken('request.incarnation', fields.incarnation),
    epoch: required('epoch'),
    notAfter: checkInteger('request.notAfter', fields.notAfter, [0, Number.MAX_SAFE_INTEGER]),
    client: checkToken('request.client', fields.client),
    reply: checkToken('request.reply', fields.reply),
    sending: checkToken('request.sending', fields.sending),
    tenant: tenant === undefined ? undefined : required('tenant'),
    conversationId: required('conversationId'),
    toolCallId: required('toolCallId'),
    tool: checkOneOf('request.tool', fields.tool, toolNames),
    input: fields.input,
    workspaceDir: checkWorkspaceDir('request.workspaceDir', workspaceDir),
    sandbox: checkAsked(sandbox),
    session: checkFlag('request.session', fields.session),
    live: checkFlag('request.live', fields.live),
    detached: checkFlag('request.detached', fields.detached),
    traceparent: checkType<string>('request.traceparent', traceparent, 'string'),
  }
}

const names = [
  ...['version', 'operation', 'worker', 'incarnation', 'epoch', 'notAfter', 'client', 'reply', 'sending'],
  ...['tenant', 'conversationId', 'toolCallId', 'tool', 'input', 'workspaceDir', 'sandbox', 'session'],
  ...['live', 'detached', 'traceparent'],
] as const satisfies readonly (keyof FleetRequest)[]

/**
 * Half a surrogate pair would be another text for bash than for whoever reads the request. JSON has it as an escape, which its
 * signature covers.
 *
 * @throws {BashError} ERR_INVALID_INPUT naming the field
 */
function checkWellFormed(field: string, value: unknown): void {
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) {
    throw invalidInput(field, 'must be well-formed Unicode', value)
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, each] of Object.entries(value)) {
    checkWellFormed(field, name)
    checkWellFormed(`${field}.${name}`, each)
  }
}

/** As it was given: the name of its job has a digest of that. */
function checkAsked(sandbox: unknown): SandboxMode | SandboxPolicy | undefined {
  if (sandbox === undefined) return undefined
  checkSandbox('request.sandbox', sandbox)
  return sandbox as SandboxMode | SandboxPolicy
}

/** They stand in the names of keys. */
function checkToken(field: string, value: unknown): string {
  if (typeof value !== 'string' || !token.test(value)) {
    throw invalidInput(field, 'must be 16 to 64 hexadecimal digits', value)
  }
  return value
}
