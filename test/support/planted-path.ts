// A directory as a command may have left it in front of PATH: programs of every name that a host could start, each of which
// leaves a mark when somebody does.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from './temp-dir.js'

/** What hosts start by name, and what bashward once did. */
export const plantedNames: readonly string[] = (
  'bash sh dash zsh env node npm npx bashward git ps pgrep pkill tar gzip getent uname ldd id whoami sudo su setpriv which ' +
  'mkfifo mktemp mkdir sleep cat kill cp mv rm ls stat find test printf true false tty stty script locale getconf sysctl ' +
  'python3 perl gpg ssh curl tmux systemd-run unshare mount findmnt modprobe'
).split(' ')

export interface PlantedPath {
  /** Its programs are those of {@link plantedNames}. */
  readonly directory: string
  /** What has been started, each with its arguments. */
  marks(): string[]
}

/** @param parent where to make it; by default in a temporary directory of its own */
export const plantPath = (parent: string = tempDir()): PlantedPath => {
  const [directory, marks] = [join(parent, 'bin'), join(parent, 'marks')]
  mkdirSync(directory, { recursive: true })
  mkdirSync(marks)
  for (const name of plantedNames) {
    const text = `#!/bin/sh\necho "${name} $*" >>'${join(marks, name)}'\nexit 97\n`
    writeFileSync(join(directory, name), text, { mode: 0o755 })
  }
  return {
    directory,
    marks: () =>
      readdirSync(marks).flatMap((name) => readFileSync(join(marks, name), 'utf8').trimEnd().split('\n')),
  }
}
