// How long something has lasted, in a word.

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
] as const

/** `0s`, `59s`, `3m`, `2h`, `7d`. */
export function formatAge(milliseconds: number): string {
  // The clock may have been set back.
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  for (const [unit, size] of units) {
    if (seconds >= size) return `${Math.floor(seconds / size)}${unit}`
  }
  return `${seconds}s`
}
