// The tokens that clients are known by. Of a token only hashes are kept.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** RFC 6750: what may follow `Bearer `. */
const tokenPattern = /^[A-Za-z0-9._~+/-]+=*$/
export const tokenLength = { min: 32, max: 1024 } as const
const maxTokens = 256

/** Bytes of what is random in the name of a conversation, and of what proves that it was made for a token. */
const nameBytes = 16
const proofBytes = 16
const conversationPattern = /^bwc_([A-Za-z0-9_-]{22})([A-Za-z0-9_-]{22})$/

/** Who has a token. */
export class Token {
  /** Of its hash, as logs have it. */
  readonly name: string
  readonly #digest: Buffer
  readonly #key: Buffer

  constructor(text: string) {
    this.#digest = sha256(text)
    this.#key = sha256(`bashward conversation\0${text}`)
    this.name = nameOf(this.#digest)
  }

  /** In constant time. @param digest SHA-256 of what a client has sent */
  is(digest: Buffer): boolean {
    return timingSafeEqual(this.#digest, digest)
  }

  /** The name of a conversation that only this token can use, also after a restart. */
  newConversation(): string {
    const random = randomBytes(nameBytes).toString('base64url')
    return `bwc_${random}${this.#proof(random)}`
  }

  hasMade(conversation: unknown): conversation is string {
    if (typeof conversation !== 'string') return false
    const [, random, proof] = conversationPattern.exec(conversation) ?? []
    if (random === undefined || proof === undefined) return false
    return timingSafeEqual(Buffer.from(proof), Buffer.from(this.#proof(random)))
  }

  #proof(random: string): string {
    const hmac = createHmac('sha256', this.#key).update(random).digest()
    return hmac.subarray(0, proofBytes).toString('base64url')
  }
}

/**
 * @param text one token a line; empty lines and those that begin with # say nothing
 * @throws {TokenError}
 */
export function parseTokens(text: string): Token[] {
  const tokens = new Map<string, Token>()
  for (const [index, line] of text.split('\n').entries()) {
    const token = line.trim()
    if (token === '' || token.startsWith('#')) continue
    const where = `line ${index + 1}`
    const { min, max } = tokenLength
    if (token.length < min || token.length > max) {
      throw new TokenError(
        `${where}: a token must have ${min} to ${max} characters (this one has ${token.length})`,
      )
    }
    if (!tokenPattern.test(token)) {
      throw new TokenError(`${where}: a token must consist of letters, digits and -._~+/, and may end with =`)
    }
    if (new Set(token).size < 8) throw new TokenError(`${where}: a token must be random`)
    if (tokens.has(token)) throw new TokenError(`${where}: the same token again`)
    tokens.set(token, new Token(token))
  }
  if (tokens.size === 0) throw new TokenError('there is no token in it')
  if (tokens.size > maxTokens) throw new TokenError(`more than ${maxTokens} tokens`)
  return [...tokens.values()]
}

/** Why there are no tokens. Its message never has one in it. */
export class TokenError extends Error {}

/** What a header says, without looking at whose it is. */
export function bearerDigest(authorization: string): Buffer | undefined {
  const [, token] = /^Bearer +([^ ]+)$/i.exec(authorization) ?? []
  if (token === undefined || token.length > tokenLength.max || !tokenPattern.test(token)) return undefined
  return sha256(token)
}

/** Enough to find a token by, and not enough to find it. */
export const nameOf = (digest: Buffer): string => digest.toString('hex').slice(0, 12)

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
