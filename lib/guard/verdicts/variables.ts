// Variables that a command may set without changing what other programs do.

/**
 * Of capitals: a list of what must not be set could not be complete. Some of them are read by programs, which then write
 * other words or other colours.
 */
const harmless = new Set(
  (
    'TZ COLUMNS LINES NO_COLOR FORCE_COLOR CI NODE_ENV CLICOLOR ' +
    'DIR FILE FILES SRC DST ROOT BASE OUT NAME COUNT TOTAL PATTERN BRANCH TAG VERSION URL PORT HOST ' +
    'REPO PROJECT DATE FOO BAR BAZ'
  ).split(' '),
)

const lowerCase = /^[a-z_][a-z0-9_]*$/
/** Proxies, options of package managers, and what bash itself and a session read. */
const readByPrograms = /_proxy$|^__bashward|^(?:npm|pnpm|yarn|bun|rvm)_|^(?:_|histchars|auto_resume)$/
const singleCapital = /^[A-Z]$/

export function isHarmlessVariable(name: string): boolean {
  if (lowerCase.test(name)) return !readByPrograms.test(name)
  return singleCapital.test(name) || harmless.has(name)
}

/** bash and awk read texts in the encoding that these name. In some, a backslash is part of a character. */
const locales = new Set(['LC_ALL', 'LC_COLLATE', 'LC_CTYPE', 'LC_MESSAGES', 'LANG'])
const knownLocale = /^(?:|C|POSIX|[A-Za-z_]{1,16}\.(?:UTF-8|utf-?8))$/

/** @param value undefined: it is not known */
export function isHarmlessSetting(name: string, value: string | undefined): boolean {
  if (locales.has(name)) return value !== undefined && knownLocale.test(value)
  // Any other value lets git rewrite its index.
  if (name === 'GIT_OPTIONAL_LOCKS') return value === '0'
  return isHarmlessVariable(name)
}
