// What a hostile tree is, and what such trees are built of.
import { execFileSync, spawn } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Place {
  base: string
  /** The workspace. */
  project: string
  /** Readable for commands, not writable. */
  outside: string
  /** What no command can read. */
  secrets: string
  /** Called when the tree is done with. */
  undo: (() => void)[]
}

export interface Tree {
  name: string
  /** @returns the path that methods are given */
  build: (place: Place) => string | Promise<string>
  /** What reading gives: this text, or a failure. Default: either. */
  reads?: string | 'fails'
  /** Whether only root can build it. */
  asRoot?: boolean
  /** Whether commands that nothing confines read it, or wait for it. */
  onlyConfined?: boolean
}

export const own = 'the text of the workspace'

export const link = (target: string) => (place: Place) => {
  symlinkSync(target, join(place.project, 'link'))
  return 'link'
}
export const file =
  (name: string, content = own) =>
  ({ project }: Place) => {
    writeFileSync(join(project, name), content)
    return name
  }
export const named = (name: string): Tree => ({
  name: `a file that is called ${JSON.stringify(name).slice(0, 40)}`,
  build: file(name),
  reads: own,
})
/** What is made by its name in the workspace, which is the path. */
export const made =
  (name: string, make: (path: string) => void) =>
  ({ project }: Place) => {
    make(join(project, name))
    return name
  }
export const fifo = (path: string) => void execFileSync('mkfifo', [path])

/** A program of the test's that is at work meanwhile, for ten seconds at most. */
export const meanwhile = ({ project, undo }: Place, script: string) => {
  const child = spawn(
    '/bin/bash',
    ['-c', `end=$((SECONDS + 10)); while ((SECONDS < end)); do ${script}; done`],
    {
      cwd: project,
      stdio: 'ignore',
      detached: true,
    },
  )
  // With the program that it has just started.
  undo.push(() => {
    const { pid = 0 } = child
    try {
      if (pid > 1) process.kill(-pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  })
}
