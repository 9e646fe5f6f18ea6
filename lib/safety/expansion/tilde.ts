// Tilde expansion (bash manual, "Tilde Expansion").

import { unknownText } from '../rule.js'
import type { Scope } from '../scope.js'

/** A tilde-prefix: the tilde and a user's name up to the first slash or the end. */
const prefix = /^~([^/]*)/

/**
 * What the tilde-prefix of a word stands for, and how many characters it has; null: there is none.
 *
 * @param text the unquoted literal that the word begins with
 * @param isWhole whether the word ends there
 */
export function expandTilde(
  text: string,
  isWhole: boolean,
  scope: Scope,
): { value: string; length: number } | null {
  const match = prefix.exec(text)
  if (match === null) return null
  const [{ length }, user] = match as unknown as [string, string]
  if (length === text.length && !isWhole) return null
  const value = directoryOf(user, scope)
  return value === null ? null : { value, length }
}

function directoryOf(user: string, scope: Scope): string | null {
  if (user === '') return scope.home ?? unknownText
  if (user === '+') return scope.workingDir ?? unknownText
  if (user === '-') return scope.values('OLDPWD')?.[0] ?? unknownText
  if (user === 'root') return '/root'
  // As nearly everywhere; looking the user up would not tell what it is on another machine.
  return /^[A-Za-z_][\w.-]*$/.test(user) ? `/home/${user}` : null
}
