// The builtins whose arguments `NAME=…` are assignments.

import type { Word } from './script.js'

const builtins = new Set(['declare', 'export', 'local', 'readonly', 'typeset'])

export function declares({ parts }: Word): boolean {
  const [name] = parts
  // Quoted, bash would split the values as it does those of any argument; nobody writes that.
  return parts.length === 1 && name?.kind === 'literal' && builtins.has(name.text)
}
