// How bash quotes, for all who write its words or read them.

/** The word that stands for exactly this text: nothing is special within single quotes, in any locale, under any option. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** What a letter behind a backslash stands for in `$'…'`, in formats of `printf`, and for `echo -e`. */
export const letterEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
