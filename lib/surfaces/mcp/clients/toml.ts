// Values in TOML.

/** A string, or an array of strings. JSON's escapes are TOML's, but for DEL. */
export function toml(value: string | readonly string[]): string {
  if (typeof value !== 'string') return `[${value.map(toml).join(', ')}]`
  return JSON.stringify(value).replaceAll('\x7f', '\\u007F')
}
