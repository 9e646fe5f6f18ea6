// Where the paths of a policy are looked up, without a command.
import type { PolicyPlace } from '../../../lib/guard/sandbox/policy-path.js'

/** @param variables of the command; HOME is one that nobody has unless they say otherwise */
export const placeAt = (
  base: string,
  variables: Readonly<Record<string, string>> = {},
  shell = '/bin/bash',
): PolicyPlace => {
  const all: Record<string, string> = { HOME: '/nowhere/home', PATH: '/nowhere/bin', ...variables }
  const entries = Object.entries(all).map(([name, value]) => `${name}=${value}\0`)
  return {
    base,
    cwd: '/nowhere',
    shell,
    field: 'sandbox',
    required: [],
    environment: {
      encoded: Buffer.from(entries.join('')),
      removed: [],
      withoutPwd: true,
      bashEnv: undefined,
      home: all.HOME,
    },
  }
}
