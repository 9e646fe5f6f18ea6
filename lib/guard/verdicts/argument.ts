// An argument of a command, as far as it is known before the command runs.

/**
 * - `text`: certain, whatever happens.
 * - `prefix`: begins with `head` (not empty), and what follows is unknown: `"src/$x"`, `src/*.ts`, `<(…)`.
 * - `unknown`: nothing of it is known: `"$x"`, `$(…)`, `*`; it may be an option.
 *
 * `several`: it may turn out to be any number of words, or none, as an unquoted expansion or a pattern does. Each word
 * of a `prefix` begins with `head`: `src/$x`, whose value may be split, is `unknown`.
 */
export type Argument =
  | { kind: 'text'; text: string }
  | { kind: 'prefix'; head: string; several: boolean }
  | { kind: 'unknown'; several: boolean }
