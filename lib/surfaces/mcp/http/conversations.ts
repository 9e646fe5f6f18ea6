// The conversations of a token: what each remembers, and how many calls run.

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Conversation } from '../conversation.js'
import type { EnteredCall, RequestMeta, SharedConversation } from '../server.js'
import type { HttpLimits } from './limits.js'
import type { Token } from './tokens.js'

/** In `_meta` of a call: its id, which the client has made. */
export const callIdKey = 'bashward/callId'
/** In `_meta`: the name of a conversation, which the server has made. */
export const conversationKey = 'bashward/conversation'

const maxCallIdBytes = 1024

interface Kept {
  conversation: Conversation
  /** Its calls that run, and its session. */
  users: number
  lastUsedAt: number
  /** Whether a client has named it: it may come back. */
  isNamed: boolean
}

export class Conversations {
  readonly #token: Token
  readonly #limits: HttpLimits
  readonly #converse: () => Conversation
  readonly #kept = new Map<string, Kept>()
  #calls = 0

  /** @param converse makes another one */
  constructor(token: Token, limits: HttpLimits, converse: () => Conversation) {
    this.#token = token
    this.#limits = limits
    this.#converse = converse
  }

  /** For a session of the protocols of 2025: it is in a conversation of its own. */
  ofSession(): SharedConversation & { end(): void } {
    const name = this.#token.newConversation()
    const kept = this.#keep(name)
    kept.users += 1
    const end = () => {
      kept.users -= 1
      if (!kept.isNamed) this.#forget(name, kept)
    }
    return { ...this.#shared(name), conversation: kept.conversation, end }
  }

  /** In the protocol of 2026 there are no sessions: who names no conversation shares one with all of the token. */
  ofToken(): SharedConversation {
    const name = ''
    return { ...this.#shared(name), conversation: this.#keep(name).conversation }
  }

  #shared(own: string): Pick<SharedConversation, 'enter' | 'listMeta'> {
    return {
      enter: (meta) => this.#enter(meta, own),
      listMeta: ({ [conversationKey]: given }) => ({
        [conversationKey]: this.#token.hasMade(given) ? given : own || this.#token.newConversation(),
      }),
    }
  }

  #enter(meta: RequestMeta, own: string): EnteredCall {
    const { [conversationKey]: given, [callIdKey]: callId } = meta
    if (given !== undefined && !this.#token.hasMade(given)) {
      throw refused(`_meta["${conversationKey}"]: must be one that tools/list has given for this token`)
    }
    if (callId !== undefined) checkCallId(callId, given)
    if (this.#calls >= this.#limits.calls) {
      throw refused(`${this.#calls} calls of this token run already; nothing was started`)
    }
    const kept = this.#keep(given ?? own)
    if (given !== undefined) kept.isNamed = true
    kept.users += 1
    this.#calls += 1
    const leave = () => {
      kept.users -= 1
      kept.lastUsedAt = performance.now()
      this.#calls -= 1
    }
    const { conversation } = kept
    if (callId === undefined) return { conversation, leave }
    // A ledger may hold the calls of many tokens.
    const once = { callId: callId as string, conversationId: `${this.#token.name}:${given}` }
    return { conversation, once, leave }
  }

  #keep(name: string): Kept {
    const known = this.#kept.get(name)
    if (known !== undefined) {
      known.lastUsedAt = performance.now()
      return known
    }
    this.#makeRoom()
    const kept = { conversation: this.#converse(), users: 0, lastUsedAt: performance.now(), isNamed: false }
    this.#kept.set(name, kept)
    return kept
  }

  /** That of the longest silence goes. There may be more of them than sessions and calls together. */
  #makeRoom(): void {
    while (this.#kept.size >= this.#limits.conversations) {
      let oldest: [string, Kept] | undefined
      for (const entry of this.#kept) {
        if (
          entry[1].users === 0 &&
          entry[1].lastUsedAt < (oldest?.[1].lastUsedAt ?? Number.POSITIVE_INFINITY)
        )
          oldest = entry
      }
      if (oldest === undefined) throw refused(`${this.#kept.size} conversations of this token are busy`)
      this.#forget(...oldest)
    }
  }

  /** Forgets those in which nothing has happened for a long time. */
  sweep(now: number): void {
    for (const [name, kept] of this.#kept) {
      const isOld = now - kept.lastUsedAt > this.#limits.conversationIdleMs
      if (kept.users === 0 && isOld) this.#forget(name, kept)
    }
  }

  #forget(name: string, { conversation }: Kept): void {
    this.#kept.delete(name)
    conversation.close()
  }

  close(): void {
    for (const entry of this.#kept) this.#forget(...entry)
  }
}

/** Two clients that count their calls must not meet in one id. */
function checkCallId(callId: unknown, conversation: unknown): void {
  const fits =
    typeof callId === 'string' &&
    callId !== '' &&
    Buffer.byteLength(callId) <= maxCallIdBytes &&
    !/\p{Surrogate}/u.test(callId)
  if (!fits) {
    const need = `must be a well-formed string of 1 to ${maxCallIdBytes} bytes`
    throw refused(`_meta["${callIdKey}"]: ${need}`)
  }
  if (conversation === undefined) {
    const need = `is needed with ${callIdKey}: it is in _meta of the result of tools/list`
    throw refused(`_meta["${conversationKey}"]: ${need}`)
  }
}

function refused(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
