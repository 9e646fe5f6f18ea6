// What somebody meant who has mistyped a word.

/** The candidate that the fewest slips lead to, if that is few enough for the length of the word. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined
  let fewest = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of candidates) {
    const slips = distance(word, candidate)
    if (slips < fewest) [best, fewest] = [candidate, slips]
  }
  return best
}

/** `, did you mean 'run'?`, or what there is to choose from. */
export function suggestion(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates)
  return meant === undefined ? `: must be one of ${candidates.join(', ')}` : `: did you mean '${meant}'?`
}

/** Characters to insert, delete, replace, or swap with their neighbour: the optimal string alignment distance. */
function distance(from: string, to: string): number {
  // No candidate is so long that it could be near.
  if (Math.abs(from.length - to.length) > to.length) return Number.POSITIVE_INFINITY
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = row > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return at(last, to.length)
}

function at(distances: readonly number[], column: number): number {
  return distances[column] ?? Number.POSITIVE_INFINITY
}
