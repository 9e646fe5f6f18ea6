// Where a command's standard input comes from, given the redirections that apply to it.

import type { Input, Redirect } from './script.js'

/** The redirection that standard input comes from; null: it is not redirected. */
export function inputRedirect(redirects: readonly Redirect[]): Redirect | null {
  const opens = ({ descriptor, operator }: Redirect) =>
    descriptor === 0 || (descriptor === null && operator.startsWith('<'))
  return redirects.findLast(opens) ?? null
}

/** What `outer` becomes behind these redirections. */
export function redirectedInput(redirects: readonly Redirect[], outer: Input | null): Input | null {
  const redirect = inputRedirect(redirects)
  return redirect === null ? outer : { kind: 'redirect', redirect }
}
