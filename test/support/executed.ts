// What a program executes, by strace(1).
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from './temp-dir.js'

/** Why it cannot be told here; undefined when it can. */
export const whyNotTraced = (): string | undefined => {
  const { error, status, stderr } = spawnSync('strace', ['-qq', '-e', 'trace=none', process.execPath, '-v'], {
    encoding: 'utf8',
  })
  if (error !== undefined) return `strace cannot be started: ${error.message}`
  return status === 0 ? undefined : `strace cannot trace: ${stderr.trim()}`
}

export interface Executed {
  status: number | null
  stdout: string
  stderr: string
  /** What was executed, also in vain, each by its path; without what a bash has executed, or its children. */
  paths: string[]
}

/** @param shells what counts as a bash */
export const traceProgram = (
  command: readonly [string, ...string[]],
  shells: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string },
): Executed => {
  const file = join(tempDir(), 'trace')
  const trace = ['-f', '-qq', '-e', 'trace=execve,execveat,clone,clone3,fork,vfork', '-e', 'signal=none']
  const { status, stdout, stderr, error } = spawnSync('strace', [...trace, '-o', file, ...command], {
    ...options,
    encoding: 'utf8',
    timeout: 50_000,
  })
  if (error !== undefined) throw error
  return { status, stdout, stderr, paths: executedPaths(readFileSync(file, 'utf8'), shells) }
}

/**
 * Lines of strace, `PID CALL(…) = RESULT`, of which another process may interrupt one: `PID CALL(… <unfinished ...>`, and
 * later `PID <... CALL resumed>…) = RESULT`. A child may come before the end of the call that has made it.
 */
export const executedPaths = (trace: string, shells: readonly string[]): string[] => {
  const parents = new Map<string, string>()
  const executed: { pid: string; path: string; hasWorked: boolean }[] = []
  for (const line of trace.split('\n')) {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    const [, child] = /^(?:<\.\.\. )?v?(?:clone3?|fork)\b.* = (\d+)/.exec(rest) ?? []
    if (child !== undefined) parents.set(child, pid)
    const [, at = '', path] = /^(execve(?:at)?)\((?:\d+, )?"([^"]*)"/.exec(rest) ?? []
    if (path !== undefined) {
      // By a descriptor: the supervisor's, from a copy in memory.
      const name = at === 'execveat' && path === '' ? 'bashward-supervisor' : path
      executed.push({ pid, path: name, hasWorked: / = 0$|unfinished/.test(rest) })
    }
  }
  const inShell = new Set<string>()
  const isInShell = (pid: string | undefined): boolean =>
    pid !== undefined && (inShell.has(pid) || isInShell(parents.get(pid)))
  return executed.flatMap(({ pid, path, hasWorked }) => {
    if (isInShell(pid)) return []
    if (hasWorked && shells.includes(path)) inShell.add(pid)
    return [path]
  })
}
