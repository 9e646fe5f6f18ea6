// Variables that a command may set without changing what other programs do.

/**
 * Of capitals: a list of what must not be set could not be complete. Some of them are read by programs, which then write
 * other words or other colours.
 */
const harmless = new Set(
  (
    'LC_ALL LANG LC_CTYPE LC_COLLATE LC_MESSAGES TZ COLUMNS LINES NO_COLOR FORCE_COLOR CI NODE_ENV CLICOLOR ' +
    'GIT_OPTIONAL_LOCKS DIR FILE FILES SRC DST ROOT BASE OUT NAME COUNT TOTAL PATTERN BRANCH TAG VERSION URL PORT HOST ' +
    'REPO PROJECT DATE FOO BAR BAZ'
  ).split(' '),
)

const lowerCase = /^[a-z_][a-z0-9_]*$/
const singleCapital = /^[A-Z]$/

export function isHarmlessVariable(name: string): boolean {
  if (lowerCase.test(name)) return !name.endsWith('_proxy') && name !== '_'
  return singleCapital.test(name) || harmless.has(name)
}
