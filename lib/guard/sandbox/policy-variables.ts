// The variables that the lists of directories and paths behind a policy depend on, in the command and in this process.

import { userInfo } from 'node:os'
import { normalize } from 'node:path'
import { realNameOf } from '../../base/util/absolute-paths.js'
import { homeDirectory } from '../../base/util/directories.js'
import type { EncodedEnvironment } from '../../processes/environment/command-environment.js'
import { keyFiles } from './key-files.js'

const places = ['HOME', 'PATH', 'TMPDIR', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR', 'XDG_STATE_HOME'] as const
const names: readonly string[] = [...places, ...keyFiles.map(([name]) => name)]

export interface PolicyVariables {
  /** The values that a variable has, the command's own first; not empty ones. */
  values(name: string): readonly string[]
  /** The same text for the same values: an environment that differs in others needs no list of its own. */
  key: string
}

let last: { environment: EncodedEnvironment; variables: PolicyVariables } | undefined

/** Read once for each environment: a command asks again about the same. */
export function variablesOf(environment: EncodedEnvironment): PolicyVariables {
  if (last?.environment !== environment) last = { environment, variables: read(environment) }
  return last.variables
}

function read({ encoded, home = '' }: EncodedEnvironment): PolicyVariables {
  const found = new Map<string, Set<string>>(names.map((name) => [name, new Set()]))
  const own = new Map<string, string>()
  for (const entry of encoded.toString().split('\0')) {
    const end = entry.indexOf('=')
    own.set(entry.slice(0, end), entry.slice(end + 1))
  }
  for (const [name, values] of found) {
    for (const value of [own.get(name) ?? '', process.env[name] ?? '']) if (value !== '') values.add(value)
  }
  const key = [home, ...[...found].map(([name, values]) => [name, ...values].join('\x01'))].join('\0')
  return { values: (name) => [...(found.get(name) ?? [])], key }
}

/** That of the command, and those of the user, which may be others. */
export function homesOf({ home = '' }: EncodedEnvironment): readonly string[] {
  const homes = [home, process.env.HOME ?? '', homeDirectory(), userHome()]
  // The root directory is that of users who have none.
  // What `..` behind a symbolic link leads to, the text does not say.
  const named = homes.map((each) => (each.includes('..') ? realNameOf(each) : normalize(each)))
  return [...new Set(named)].filter((each) => /^\/./.test(each))
}

function userHome(): string {
  try {
    return userInfo().homedir
  } catch {
    return ''
  }
}
