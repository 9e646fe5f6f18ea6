// What was found in bytes.

/** Bytes `start` up to `end`, for which `name` is to stand. */
export interface Found {
  start: number
  end: number
  name: string
}

/** From left to right. Where they overlap they are one, by the name of the first. */
export function merged(found: Found[]): Found[] {
  const sorted = found.sort((a, b) => a.start - b.start || b.end - a.end)
  const result: Found[] = []
  for (const each of sorted) {
    const last = result.at(-1)
    if (last === undefined || each.start >= last.end) result.push({ ...each })
    else last.end = Math.max(last.end, each.end)
  }
  return result
}
