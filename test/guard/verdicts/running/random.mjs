// Random numbers that a seed repeats (xorshift).

export const randomFrom = (seed) => {
  let state = Math.imul(seed + 1, 2654435761) >>> 0 || 1
  const next = () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
  const below = (limit) => Math.floor(next() * limit)
  return { below, chance: (share) => next() < share, pick: (list) => list[below(list.length)] }
}
