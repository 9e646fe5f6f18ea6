// Calls that type into the same terminal take turns: what stands in its line is looked at, judged and typed by one at a time.

/** Of this process, by the directory of the job. */
const last = new Map<string, Promise<unknown>>()

export async function inTurn<Result>(directory: string, act: () => Promise<Result>): Promise<Result> {
  const before = last.get(directory) ?? Promise.resolve()
  const mine = before.then(act, act)
  last.set(directory, mine)
  try {
    return await mine
  } finally {
    if (last.get(directory) === mine) last.delete(directory)
  }
}
