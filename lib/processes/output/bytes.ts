// Sizes in bytes, written for people.

const units = ['KB', 'MB', 'GB'] as const

/**
 * Writes a number of bytes with one decimal in units of 1024: `512B`, `128.0KB`,
 * `3.0MB`. GB is the largest unit.
 */
export function humanizeBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`
  let value = bytes
  let unit = 'B'
  for (const next of units) {
    // Compared as it would be printed, or 1048575 bytes would read 1024.0KB.
    if (Number(value.toFixed(1)) < 1024) break
    value /= 1024
    unit = next
  }
  return `${value.toFixed(1)}${unit}`
}
