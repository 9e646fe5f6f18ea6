// Variables that name libraries to load into each program, without the entries that lead to where the program begins.

// Of ld.so(8), and for iconv(3) of glibc, which loads modules. What separates their entries differs, and so does whether
// an entry without a slash is a name that is looked up as that of any library.
const separators: Readonly<Record<string, { separator: RegExp; names?: true }>> = {
  LD_LIBRARY_PATH: { separator: /[:;\n]/ },
  LD_PRELOAD: { separator: /[: \t\n]/, names: true },
  LD_AUDIT: { separator: /:/, names: true },
  GCONV_PATH: { separator: /:/ },
}

/**
 * The value without empty and relative entries: each of them is the command's working directory, where another command may
 * have put a library. `LD_LIBRARY_PATH=/opt/lib:$LD_LIBRARY_PATH` in a start-up file leaves such an entry by accident.
 *
 * @returns the value itself where it has none, or is of another variable; undefined where nothing is left
 */
export function withoutRelativeLibraries(name: string, value: string): string | undefined {
  if (value === '' || !Object.hasOwn(separators, name)) return value
  const { separator, names } = separators[name] as (typeof separators)[string]
  const entries = value.split(separator)
  const kept = entries.filter((entry) => isAnchored(entry) || (names && entry !== '' && !entry.includes('/')))
  if (kept.length === entries.length) return value
  return kept.length === 0 ? undefined : kept.join(':')
}

/** The directory of the program that loads the library is none that a working directory chooses. */
const isAnchored = (entry: string): boolean => /^(?:\/|\$ORIGIN(?:\/|$)|\$\{ORIGIN\}(?:\/|$))/.test(entry)
