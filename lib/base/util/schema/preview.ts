// A received value as an error message shows it: as JSON, short, and without trusting the value.

/** Characters of a value that a message shows, before it is cut with `…`. */
const previewLength = 60

/**
 * Writes any value as JSON of at most about 60 characters, cut with `…`. What JSON does not have is named: `undefined`,
 * `NaN`, `42n`, `a function`. Never throws: parts that cannot be read are shown as `?`. No more of the value is looked
 * at than is shown, so that a message about a huge or cyclic one is cheap; `toJSON` is not called.
 */
export function preview(value: unknown): string {
  const text = write(value, previewLength)
  if (text.length <= previewLength) return text
  // Not between the halves of a surrogate pair.
  const last = text.charCodeAt(previewLength - 1)
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? previewLength - 1 : previewLength)}…`
}

/** Writes at least the first `budget` characters of the JSON text, and not much more. */
function write(value: unknown, budget: number): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.slice(0, budget + 1))
    case 'bigint':
      return `${value}n`
    case 'symbol':
    case 'function':
      return `a ${typeof value}`
    case 'object':
      return value === null ? 'null' : writeSafely(value, budget)
    default:
      return String(value)
  }
}

function writeSafely(value: object, budget: number): string {
  try {
    return Array.isArray(value) ? writeArray(value, budget) : writeObject(value, budget)
  } catch {
    // A getter or a proxy that throws.
    return '?'
  }
}

// Each level of nesting writes a bracket first, so that a cyclic value uses its budget up.

function writeArray(values: readonly unknown[], budget: number): string {
  let text = '['
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ','
    if (text.length > budget) return text
    text += write(values[i], budget - text.length)
  }
  return `${text}]`
}

function writeObject(value: object, budget: number): string {
  let text = '{'
  for (const key of Object.keys(value)) {
    if (text.length > 1) text += ','
    if (text.length > budget) return text
    text += `${write(key, budget - text.length)}:`
    if (text.length > budget) return text
    text += write((value as Record<string, unknown>)[key], budget - text.length)
  }
  return `${text}}`
}
