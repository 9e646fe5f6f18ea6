// Programs that this one starts outside of every sandbox: from the directories of the system, whatever PATH says.

import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'

/** Where systems keep their programs: POSIX ones, NixOS, Guix, and what Homebrew, MacPorts and pkgsrc add. */
export const systemDirectories: readonly string[] = [
  '/usr/bin',
  '/bin',
  '/usr/sbin',
  '/sbin',
  '/run/current-system/sw/bin',
  '/run/current-system/profile/bin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
  '/home/linuxbrew/.linuxbrew/bin',
  '/opt/local/bin',
  '/usr/pkg/bin',
]

/** The absolute path of a program of the system; where it has none of that name, of one that there is not. */
export function systemProgram(name: string): string {
  const candidates = systemDirectories.map((directory) => join(directory, name))
  return candidates.find(isExecutableFile) ?? join('/usr/bin', name)
}

export function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch (error) {
    // Deno's error for a permission that is missing is none of a system call, and says which one.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return false
  }
}
