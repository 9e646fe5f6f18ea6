// The command as a user interface should show it: REQ-BASH-011 (docs/requirements.md).

import { posix } from 'node:path'
import { homeDirectory, resolveDirectory } from '../util/directories.js'
import { invalidInput } from '../util/invalid-input.js'
import { readLeadingCd } from './leading-cd.js'

/**
 * Leaves out the `cd DIRECTORY &&` or `cd DIRECTORY;` at the beginning of a command that runs in that directory anyway:
 * `cd /app && make || exit` is shown as `make || exit`. `-L` and `--` count as nothing. Everything else is shown as it is, and what is shown is always
 * the end of the command, character by character.
 *
 * Directories are compared by their names: quotes, `.`, `..`, `~`, `$HOME` and `$PWD` count as what they stand for,
 * symbolic links do not. Nothing is read from the disk.
 *
 * @param workingDir where the command runs; a relative path is taken from the process's own directory
 * @param home the HOME of the command. Default: the home directory of this process's user
 * @throws {BashError} ERR_INVALID_INPUT; ERR_WORKING_DIR when a relative path has nothing to be relative to
 */
export function simplifyCommand(command: string, workingDir: string, home?: string): string {
  if (typeof command !== 'string') throw invalidInput('command', 'must be a string', command)
  const directory = resolveDirectory('workingDir', workingDir)
  const lookup = (name: 'HOME' | 'PWD') =>
    (name === 'PWD' ? directory : (home ?? homeDirectory())) || undefined
  const cd = readLeadingCd(command, lookup)
  if (cd === undefined || !namesDirectory(cd.directory, directory)) return command
  return command.slice(cd.restStart)
}

/** A dash is the directory before this one; an empty word is a mistake. */
function namesDirectory(word: string, directory: string): boolean {
  return word !== '' && word !== '-' && posix.resolve(directory, word) === directory
}
