// Where a command's standard input comes from, given the redirections that apply to it.

import type { Input, Redirect } from './script.js'

/** What `outer` becomes behind these redirections. */
export function redirectedInput(redirects: readonly Redirect[], outer: Input | null): Input | null {
  const redirect = redirects.findLast(opensInput)
  return redirect === undefined ? outer : { kind: 'redirect', redirect }
}

function opensInput({ descriptor, operator }: Redirect): boolean {
  return descriptor === 0 || (descriptor === null && operator.startsWith('<'))
}
