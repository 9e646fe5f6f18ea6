// Reads what strace(1) has written about a host: which programs the host itself has executed. What a command executes below
// the bash of its supervisor is the command's affair.
import { basename, isAbsolute, resolve } from 'node:path'
import { isWithin } from '../../lib/base/util/absolute-paths.js'

/** The system calls that tell; only these stop the host. */
export const tracedCalls = 'trace=execve,execveat,clone,clone3,fork,vfork'

/** Who a process acts for. `helper` is a shell of the package's own, which may execute what its host may. */
type Owner = 'host' | 'helper' | 'supervisor' | 'command'

export interface TraceRules {
  /** Below it nothing is trusted. */
  world: string
  /** Where the package is, whose supervisor may be executed by its path. */
  packageRoot: string
  /** What the portable engine may execute, by absolute paths. Default: nothing. */
  portable?: readonly string[]
}

interface Execution {
  program: string
  argv0: string
  /** Nobody can reach it by a name: a file in memory, or one without a link. */
  isNameless: boolean
}

/**
 * What the host, its helpers and its supervisors have executed, or have tried to, though it is none of theirs.
 *
 * @param trace of `strace -f -y`
 */
export function foreignExecutions(trace: string, rules: TraceRules): string[] {
  const lines = trace.split('\n').flatMap((line) => {
    const [, pid = '', text = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    return pid === '' ? [] : [{ pid, text }]
  })
  const parents = new Map<string, string>()
  for (const { pid, text } of lines) {
    const child = childOf(text)
    if (child !== undefined) parents.set(child, pid)
  }
  const launched = launchedByEngine(lines)
  const owners = new Map<string, Owner>()
  // A child of vfork() executes before its parent's call has returned.
  const ownerOf = (pid: string): Owner => {
    const known = owners.get(pid)
    if (known !== undefined) return known
    const parent = parents.get(pid)
    const owner = parent === undefined ? 'host' : ownerOf(parent)
    owners.set(pid, owner)
    return owner
  }
  const foreign = new Set<string>()
  for (const [index, { pid, text }] of lines.entries()) {
    const child = childOf(text)
    if (child !== undefined) ownerOf(child)
    const execution = executionOf(text)
    // The first one is the host's own start.
    if (execution === undefined || index === 0) continue
    const owner = ownerOf(pid)
    if (owner === 'command') continue
    if (execution === 'unreadable') {
      owners.set(pid, launched.has(pid) ? 'supervisor' : 'host')
      continue
    }
    const next = nextOwner(owner, execution, rules)
    if (next === undefined) foreign.add(`${owner}: ${execution.program}`)
    owners.set(pid, next ?? 'command')
  }
  return [...foreign]
}

/** The new process of a call that has returned. */
const childOf = (text: string): string | undefined =>
  /^(?:<\.\.\. )?(?:clone3?|v?fork)\b.*\) += (\d+)/.exec(text)?.[1]

/**
 * The children that the engine has cloned, told by its flags. A host that protects itself (`bashward mcp`) hides the words of
 * its execve(2) from an ordinary user's strace; there the marks of planted programs have to tell.
 */
function launchedByEngine(lines: readonly { pid: string; text: string }[]): ReadonlySet<string> {
  const launching = new Set<string>()
  const launched = new Set<string>()
  for (const { pid, text } of lines) {
    if (/^clone\(.*CLONE_PIDFD/.test(text)) launching.add(pid)
    else if (/^clone/.test(text)) launching.delete(pid)
    const child = childOf(text)
    if (child !== undefined && launching.has(pid)) launched.add(child)
  }
  return launched
}

function executionOf(text: string): Execution | 'unreadable' | undefined {
  if (/^execve\(0x|^execveat\([^"]*, 0x/.test(text)) return 'unreadable'
  const byPath = /^execve\("([^"]*)", \["([^"]*)"/.exec(text)
  if (byPath !== null) {
    const [, program = '', argv0 = ''] = byPath
    return { program, argv0, isNameless: false }
  }
  const byDescriptor = /^execveat\(-?\w+(?:<(.*?)>(\(deleted\))?)?, "([^"]*)", \["([^"]*)"/.exec(text)
  if (byDescriptor === null) return undefined
  const [, file = '', deleted, name = '', argv0 = ''] = byDescriptor
  return { program: name || file, argv0, isNameless: name === '' && deleted !== undefined }
}

/** Whose the process is from now on; undefined: it may not execute this. */
function nextOwner(owner: Owner, execution: Execution, rules: TraceRules): Owner | undefined {
  const { program, argv0, isNameless } = execution
  const isTrusted = isAbsolute(program) && !isWithin(resolve(program), rules.world)
  const isBash = isTrusted && basename(program) === 'bash'
  // Why a command does not go on is found out by Node, which a shell at a fixed path starts for the supervisor.
  if (owner === 'supervisor') return isBash ? 'command' : program === '/bin/sh' ? 'helper' : undefined
  if (argv0 === 'bashward-supervisor' && (isNameless || isWithin(program, rules.packageRoot)))
    return 'supervisor'
  if (program === process.execPath || program === '/proc/self/exe') return 'host'
  if (rules.portable === undefined || !isTrusted) return undefined
  if (isBash) return 'command'
  return rules.portable.includes(basename(program)) ? 'helper' : undefined
}
