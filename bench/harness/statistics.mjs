// Order statistics of a list of numbers.

/** @param {number[]} values @returns {number} of an even number of them, the mean of the two in the middle */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** @template T @param {T[]} items @returns {T[]} the items in random order */
export function shuffle(items) {
  const shuffled = [...items]
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    const item = shuffled[i]
    shuffled[i] = shuffled[j]
    shuffled[j] = item
  }
  return shuffled
}
