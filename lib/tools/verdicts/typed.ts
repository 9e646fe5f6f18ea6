// Whether something may be typed into a command that runs in a terminal: what a shell is given is judged as a command, and about
// the rest a person is asked.

import { BashError } from '../../base/errors.js'
import { notify } from '../../base/util/listeners.js'
import { type ExamineOptions, examine } from '../../guard/verdicts/judge-text.js'
import type { Decision, Judgement } from '../../guard/verdicts/judgement.js'
import { Policy } from '../../guard/verdicts/policy/policy.js'
import { show } from '../../guard/verdicts/show.js'
import type { ResolvedContext } from '../context.js'
import type { Safety } from '../safety.js'
import { ask } from './ask.js'
import type { InputRequest, Verdicts } from './options.js'

export interface TypedInput extends Omit<InputRequest, 'kind' | 'judgement'> {
  /** What a shell would be given: a command, in each way in which that can be read. Undefined: that is not known. */
  commands: readonly string[] | undefined
  /** Whether it is certain that a shell of this machine reads it. */
  isShell: boolean
  /** Whether what runs in the terminal is confined. */
  isConfined: boolean
  place: Pick<ExamineOptions, 'workingDir' | 'home' | 'hasVariable'>
}

type AskingContext = Pick<ResolvedContext<never>, 'cancel' | 'given' | 'isApproved' | 'rules'>

export interface TypedRefusal {
  /** `cancelled`: the call was, while somebody was asked. */
  rule: string
  message: string
  /** Why nobody has approved it. */
  why?: string
}

/** @throws {BashError} ERR_SAFETY_RULE when a rule of the host fails */
export async function judgeTyped(
  input: TypedInput,
  { rules }: Pick<AskingContext, 'rules'>,
  verdicts: Verdicts,
  safety: Safety,
): Promise<Judgement> {
  const { commands, isShell, isConfined, place } = input
  const known: Judgement[] = []
  for (const command of commands ?? []) {
    const { judgement, isReading } = await examine(command, {
      ...place,
      policy: rules === undefined ? verdicts.policy : joined(verdicts.policy, rules),
      default: verdicts.default,
      safety: safety?.rules ?? [],
    })
    // It cannot be confined, and to a shell with aliases its words may mean something else.
    const isFree = !isReading || isConfined || verdicts.reads === 'same'
    known.push(judgement.decision === 'allow' && !isFree ? asking(input, judgement, unconfined) : judgement)
  }
  const strictest = known.sort((a, b) => order.indexOf(a.decision) - order.indexOf(b.decision))[0]
  if (strictest?.decision === 'deny') return strictest
  if (strictest === undefined || !isShell) return asking(input, strictest, elsewhere(input))
  if (strictest.decision === 'allow' && hasHistory.test(input.text)) {
    return asking(input, strictest, 'recalls an earlier command')
  }
  return strictest
}

/** @returns undefined for what may be typed */
export async function permitTyped(
  input: TypedInput,
  judgement: Judgement,
  context: AskingContext,
  verdicts: Verdicts,
): Promise<TypedRefusal | undefined> {
  const { decision, reasons } = judgement
  const message = reasons.map((reason) => reason.message).join('\n')
  if (decision === 'deny') return { rule: reasons[0]?.rule ?? typedRule, message }
  if (decision === 'allow' || context.isApproved) return undefined
  const { approve, onRemember } = verdicts
  if (approve === undefined) return needsApproval(message, 'nobody can be asked here')
  const { commands, isShell, isConfined, place, ...about } = input
  const asked = await ask(approve, context, { kind: 'input', ...about, judgement })
  switch (asked.answer) {
    case 'cancelled':
      throw new BashError('ERR_CANCELLED', 'the call was cancelled')
    case 'failed':
      return needsApproval(message, asked.why)
    case 'deny':
      return { rule: 'not-approved', message: asked.why === '' ? 'A person has denied it.' : asked.why }
    case 'always':
      for (const prefix of judgement.suggestion ?? []) {
        notify((rule) => onRemember?.(rule, context.given), { prefix, decision: 'allow' } as const)
      }
      return undefined
    case 'once':
      return undefined
  }
}

const order: readonly Decision[] = ['deny', 'ask', 'allow']
const typedRule = 'typed-input'

const joined = (one: Policy, other: Policy): Policy =>
  new Policy([...one.rules, ...other.rules], [...one.off, ...other.off])

const unconfined = 'only reads, but what is typed into a shell cannot be confined'

function elsewhere({ commands, program }: TypedInput): string {
  const into = program === '' ? 'a program' : show(program)
  return commands === undefined
    ? `is for ${into}`
    : `is for ${into}, and what reads it behind that is not known`
}

/** `!!` and `^old^new`, where bash has history expansion. */
const hasHistory = /!(?![\s=(]|$)|^\^/m

/** @param before the judgement whose reasons it takes the place of */
function asking({ text, keys, program }: TypedInput, before: Judgement | undefined, why: string): Judgement {
  const typed = keys.length > 0 ? keys.join(' ') : text
  const match = { start: 0, end: typed.length, text: typed }
  const message = `${show(typed)}: ${why}`
  const reason = { rule: typedRule, match, program, effect: 'unknown', message } as const
  const others = before?.decision === 'ask' ? before.reasons : []
  return { decision: 'ask', reasons: [reason, ...others], suggestion: null, repository: false }
}

const needsApproval = (message: string, why: string): TypedRefusal => ({
  rule: 'needs-approval',
  message: `${message}\nInstead: tell the user what to type, and why.`,
  why,
})
