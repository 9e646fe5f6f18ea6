// The files that decide what a login shell sets in a directory, and whether any of them has changed.

import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ofSystem = ['/etc/profile', '/etc/profile.d', '/etc/bash.bashrc', '/etc/bashrc']

/** Those that bash reads, those that they usually read, and what direnv has been allowed: a name in a directory. */
const inHome = [
  ...['.bash_profile', '.bash_login', '.profile', '.bashrc', '.bash_aliases', '.bashrc.d'],
  ...['.direnvrc', '.config/direnv/direnvrc', '.config/direnv/direnv.toml'],
  ...['.local/share/direnv/allow', '.local/share/direnv/deny'],
]

/** What hooks of direnv, mise and asdf look for in the working directory and above. */
const ofProject = ['.envrc', '.env', '.tool-versions', 'mise.toml', '.mise.toml']

const maxDepth = 64
const maxFiles = 256

/** The same text as long as none of them has changed, come or gone. */
export function startUpFilesVersion(home: string | undefined, directory: string): string {
  const files = [
    ...ofSystem,
    ...filesIn('/etc/profile.d'),
    ...(home === undefined ? [] : inHome.map((name) => join(home, name))),
    ...(home === undefined ? [] : filesIn(join(home, '.bashrc.d'))),
  ]
  let above = directory
  for (let depth = 0; depth < maxDepth; depth++) {
    files.push(...ofProject.map((name) => join(above, name)))
    if (dirname(above) === above) break
    above = dirname(above)
  }
  return files.map(versionOf).join(' ')
}

function filesIn(directory: string): string[] {
  try {
    const names = readdirSync(directory).sort()
    return names.slice(0, maxFiles).map((name) => join(directory, name))
  } catch {
    return []
  }
}

/** A file that is replaced by an older one has another number. */
function versionOf(path: string): string {
  try {
    // Most are not there, and an exception takes longer than the look.
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    return found === undefined ? '-' : `${found.mtimeNs}:${found.ino}:${found.size}`
  } catch {
    return '-'
  }
}
