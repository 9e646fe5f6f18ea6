// Patterns over variable names: `*` stands for any run of characters, everything else for itself.

// Callers repeat the same few lists for every command; the limit is for one that makes up new ones.
const cacheLimit = 64
const cache = new Map<string, RegExp>()

/**
 * One expression that matches the names that any of the patterns matches. Case counts, as it does in the
 * environment. Undefined for an empty list.
 */
export function compileNamePatterns(patterns: readonly string[] | undefined): RegExp | undefined {
  if (patterns === undefined || patterns.length === 0) return undefined
  const key = patterns.join('\0')
  const known = cache.get(key)
  if (known !== undefined) return known
  const compiled = new RegExp(`^(?:${patterns.map(patternSource).join('|')})$`)
  if (cache.size >= cacheLimit) cache.clear()
  cache.set(key, compiled)
  return compiled
}

function patternSource(pattern: string): string {
  return pattern
    .split(/\*+/)
    .map((literal) => literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('[^]*')
}
