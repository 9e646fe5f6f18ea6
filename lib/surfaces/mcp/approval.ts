// Asking a person over MCP whether a command may run. In the protocols of 2025 the server sends a question while the call
// waits; in that of 2026 the call is answered with the question, and the client calls again with what the person said.

import { createHash, randomUUID } from 'node:crypto'
import {
  type InputRequiredResult,
  inputRequired,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { formatDuration } from '../../tools/bash-schema.js'
import type { ApprovalAnswer, ApprovalRequest } from '../../tools/verdicts/options.js'
import { approvalAnswer, approvalForm } from './approval-form.js'
import { requestCapabilities } from './client-capabilities.js'

/** How many questions of a connection may be without an answer; older ones are asked again. */
const maxOpen = 100
/** The name of the only question of a call. */
const key = 'approval'

/** Asks about one call. */
export interface CallApproval {
  /** Rejects when there is no answer: nothing may run then. */
  approve(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>
  /** Whether a person is being waited for. */
  readonly isWaiting: boolean
  /** What the call is to be answered with, if anything: its client asks, and calls again. */
  readonly question: InputRequiredResult | undefined
}

/** The questions of one connection that are without an answer, by what their clients give back, with what they are about. */
export class OpenQuestions {
  readonly #about = new Map<string, string>()

  open(request: ApprovalRequest): string {
    const id = randomUUID()
    this.#about.set(id, fingerprint(request))
    const [oldest] = this.#about.keys()
    if (this.#about.size > maxOpen && oldest !== undefined) this.#about.delete(oldest)
    return id
  }

  /** An answer holds for what it was given to, and once. */
  close(id: unknown, request: ApprovalRequest): boolean {
    if (typeof id !== 'string') return false
    const about = this.#about.get(id)
    this.#about.delete(id)
    return about === fingerprint(request)
  }
}

/** All that the person was to decide about, also what was too long to be shown. */
function fingerprint(request: ApprovalRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex')
}

/**
 * For a client whose person can be asked.
 *
 * @param patienceMs how long the person may take while the call waits, milliseconds
 */
export function elicitApproval(
  context: ServerContext,
  questions: OpenQuestions,
  patienceMs: number,
): CallApproval {
  return requestCapabilities(context) === undefined
    ? new DuringTheCall(context, patienceMs)
    : new WithAnotherCall(context, questions)
}

class DuringTheCall implements CallApproval {
  readonly question = undefined
  isWaiting = false
  readonly #context: ServerContext
  readonly #patienceMs: number

  constructor(context: ServerContext, patienceMs: number) {
    this.#context = context
    this.#patienceMs = patienceMs
  }

  async approve(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    this.isWaiting = true
    try {
      const params = { mode: 'form' as const, ...approvalForm(request) }
      const result = await this.#context.mcpReq.send(
        { method: 'elicitation/create', params },
        { signal, timeout: this.#patienceMs },
      )
      return checked(approvalAnswer(result, request))
    } catch (error) {
      // The library says the same of a call that was cancelled.
      if (signal.aborted || !SdkError.isInstance(error) || error.code !== SdkErrorCode.RequestTimeout)
        throw error
      return { deny: `Nobody has answered within ${formatDuration(this.#patienceMs)}.` }
    } finally {
      this.isWaiting = false
    }
  }
}

class WithAnotherCall implements CallApproval {
  question: InputRequiredResult | undefined
  readonly isWaiting = false
  readonly #context: ServerContext
  readonly #questions: OpenQuestions

  constructor(context: ServerContext, questions: OpenQuestions) {
    this.#context = context
    this.#questions = questions
  }

  async approve(request: ApprovalRequest): Promise<ApprovalAnswer> {
    const { inputResponses, requestState } = this.#context.mcpReq
    const response = inputResponses?.[key]
    if (response !== undefined && this.#questions.close(requestState(), request)) {
      return checked(approvalAnswer(response, request))
    }
    if (request.kind === 'grant') {
      // It has run: to call again would be to run it again.
      throw new Error('the protocol of this client has no questions after a command')
    }
    this.question = inputRequired({
      inputRequests: { [key]: inputRequired.elicit({ mode: 'form', ...approvalForm(request) }) },
      requestState: this.#questions.open(request),
    })
    throw new Error('the client has to ask')
  }
}

function checked(answer: ApprovalAnswer | undefined): ApprovalAnswer {
  if (answer === undefined) throw new Error('the answer of the client is none of those that were offered')
  return answer
}
