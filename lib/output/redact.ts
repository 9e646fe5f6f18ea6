// Secrets that a command was given are not shown: stars take their place, as many as there were characters, so that every
// offset and count stays what it was.

const star = 0x2a

/** Characters at the edge of a gap from which on a piece of a secret is taken for one. */
const shortestPiece = 4

/** @param secrets ASCII */
export function redactText(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (redacted, secret) => redacted.replaceAll(secret, () => '*'.repeat(secret.length)),
    text,
  )
}

/** In place. */
export function redactBytes(bytes: Buffer, secrets: readonly string[]): void {
  for (const secret of secrets) {
    for (let at = bytes.indexOf(secret); at !== -1; at = bytes.indexOf(secret, at + secret.length)) {
      bytes.fill(star, at, at + secret.length)
    }
  }
}

/** In place, also what a gap behind the bytes has left of one. */
export function redactEnd(bytes: Buffer, secrets: readonly string[]): void {
  const length = unfinishedLength(bytes, secrets)
  if (length >= shortestPiece) bytes.fill(star, bytes.length - length)
}

/** In place, also what a gap before the bytes has left of one. */
export function redactStart(bytes: Buffer, secrets: readonly string[]): void {
  for (const secret of secrets) {
    for (let length = Math.min(secret.length, bytes.length); length >= shortestPiece; length--) {
      if (bytes.toString('latin1', 0, length) === secret.slice(-length)) {
        bytes.fill(star, 0, length)
        break
      }
    }
  }
}

/** How many bytes at the end may be the beginning of a secret. */
export function unfinishedLength(bytes: Buffer, secrets: readonly string[]): number {
  let longest = 0
  for (const secret of secrets) {
    for (let length = Math.min(secret.length - 1, bytes.length); length > longest; length--) {
      if (bytes.toString('latin1', bytes.length - length) === secret.slice(0, length)) longest = length
    }
  }
  return longest
}

/** Tokens of the proxy, by their form: whose they are is not known of a job. */
const tokens = /(?<=\bbashward:)[0-9a-f]{48}\b|(?<=\bYmFzaHdhcmQ6)[A-Za-z0-9+/]{64}/g

export function redactTokens(text: string): string {
  return text.replace(tokens, (token) => '*'.repeat(token.length))
}
