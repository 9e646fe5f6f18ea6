// The option `verdicts` of the tools: which commands run, which of them a person is asked about, and by whom.

import { checkObject, checkOneOf, checkType } from '../../base/util/invalid-input.js'
import { synonymHint } from '../../base/util/unknown-field.js'
import type { Denial } from '../../guard/sandbox/denials.js'
import type { SandboxPolicy } from '../../guard/sandbox/policy.js'
import type { Judgement } from '../../guard/verdicts/judgement.js'
import { checkPolicy } from '../../guard/verdicts/policy/check-policy.js'
import { noPolicy, type Policy, type PolicyRule } from '../../guard/verdicts/policy/policy.js'
import type { ToolContext } from '../types.js'

/** What a person is asked. */
export type ApprovalRequest =
  /** Whether a command may run. */
  | { kind: 'command'; command: string; workingDir: string; judgement: Judgement }
  /**
   * Whether a command that the sandbox has refused something, and that failed, may run once more with `denial.grant`. It has
   * run up to there: what it has done is done again.
   */
  | { kind: 'grant'; command: string; workingDir: string; denial: Denial & Required<Pick<Denial, 'grant'>> }
  /** Whether something may be typed into a command that runs in a terminal. */
  | InputRequest

export interface InputRequest {
  kind: 'input'
  /** What is typed; with Enter after it if `submit` says so. Empty where keys are pressed. */
  text: string
  submit: boolean
  /** The names of the keys that are pressed; none where text is typed. */
  keys: readonly string[]
  /** The name of the program that reads it, which it may have chosen itself. Empty: not known. */
  program: string
  /** The command that runs in the terminal, and where it was started. */
  command: string
  workingDir: string
  jobId: string
  judgement: Judgement
}

/**
 * - `'once'`: this call may
 * - `'always'`: the same, and `onRemember` is told of what would allow it from now on
 * - `{ deny }`: it may not, and the model reads why
 */
export type ApprovalAnswer = 'once' | 'always' | { deny: string }

export interface ApprovalCall {
  /** Aborted with the call. Nothing runs then, whatever the answer. */
  signal: AbortSignal
  /** The context of the call, as it was given. */
  context: ToolContext
}

/** Asks a person, and waits for the answer. What throws or answers something else has approved nothing. */
// Not `ApprovalAnswer | Promise<…>`: of an async function TypeScript 7 would take the 'once' for any string.
export type Approve = (request: ApprovalRequest, call: ApprovalCall) => Promise<ApprovalAnswer>

/** What an answer `'always'` is about: a rule that allows commands, or what a sandbox should allow. */
export type Remembered = PolicyRule | { grant: Partial<SandboxPolicy> }

export interface VerdictOptions {
  /** Rules of the host, as `loadPolicy()` returns them. Those of `context.policy` count besides. Default: none. */
  policy?: Policy | undefined
  /** Asks a person. Default: nobody can be asked, and what asks is rejected. */
  approve?: Approve | undefined
  /** The decision about commands of which nothing is known. Default `'ask'`. */
  default?: 'ask' | 'deny' | undefined
  /**
   * How commands run that are allowed because they are known to only read: `'confined'`, in Restricted mode with a scratch
   * directory and what the conversation makes unreadable, or the `'same'` as any other. Default `'confined'`.
   */
  reads?: 'confined' | 'same' | undefined
  /**
   * Told what an answer `'always'` allows from now on: the tool remembers nothing. For commands it is called once for each
   * rule of `judgement.suggestion`.
   */
  onRemember?: ((remembered: Remembered, context: ToolContext) => void) | undefined
}

/** The same with the defaults filled in. */
export interface Verdicts {
  readonly policy: Policy
  readonly approve: Approve | undefined
  readonly default: 'ask' | 'deny'
  readonly reads: 'confined' | 'same'
  readonly onRemember: VerdictOptions['onRemember']
}

const names = [
  ...['policy', 'approve', 'default', 'reads', 'onRemember'],
] as const satisfies readonly (keyof VerdictOptions)[]

const optionMeant = synonymHint({
  policy: ['rules', 'policies'],
  approve: ['ask', 'approval', 'canusetool', 'onapproval', 'needsapproval'],
  onRemember: ['remember', 'onalways'],
})

/** @throws {BashError} ERR_INVALID_INPUT naming the field, what is allowed and what came */
export function checkVerdicts(field: string, value: unknown): Verdicts {
  const given = checkObject(field, value, names, optionMeant)
  return {
    policy: checkPolicy(`${field}.policy`, given.policy) ?? noPolicy,
    approve: checkType<Approve>(`${field}.approve`, given.approve, 'function'),
    default: checkOneOf(`${field}.default`, given.default, ['ask', 'deny']),
    reads: checkOneOf(`${field}.reads`, given.reads, ['confined', 'same']),
    onRemember: checkType<NonNullable<VerdictOptions['onRemember']>>(
      `${field}.onRemember`,
      given.onRemember,
      'function',
    ),
  }
}

/**
 * The line of a tool's description that saves a model from trying.
 *
 * @param isAskedElsewhere whether a framework asks a person
 */
export function describeVerdicts({ approve, policy }: Verdicts, isAskedElsewhere: boolean): string {
  const known = `known to only read${policy.rules.some(isAllowing) ? ', or that a rule allows' : ''}`
  return approve === undefined && !isAskedElsewhere
    ? `Nobody can be asked: only commands run that are ${known}. All others are rejected.`
    : `A person is asked before each command that is not ${known}. If it is denied, do not try it in another way.`
}

const isAllowing = ({ decision }: Policy['rules'][number]): boolean => decision === 'allow'
