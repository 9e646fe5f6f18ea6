// Who asks for a secret, as the kernel tells it to anybody: nothing is read from the memory of the program, which could hold up
// whoever does.

import { readFileSync } from 'node:fs'
import { quoteName } from './names.js'
import type { TerminalState } from './state.js'

export interface WhoAsks {
  /** Its name in quotes, what no screen shows escaped. */
  program: string
  /** Undefined when it cannot be seen. */
  pid: number | undefined
  /** Whether it has the rights of another user, as sudo, su and passwd have: or it cannot be seen. */
  setuid: boolean
  /** Programs that pass on what is typed, from the inside out, with names like `program`: script, tmux, ssh. */
  through: string[]
}

const maxAncestors = 64
/** As much of it as the kernel keeps. */
const supervisorName = Buffer.from('bashward-superv')

export function askedBy({ pid, program = '', verdict, nested }: TerminalState): WhoAsks {
  const name = quoteName(program)
  if (pid === undefined) return { program: name, pid, setuid: true, through: [] }
  const through = verdict === 'relay' ? [name] : []
  return {
    program: name,
    pid,
    setuid: isSetuid(pid),
    through: nested ? [...through, ...makers(pid)] : through,
  }
}

/** @returns undefined when the process cannot be seen, or has ended */
function read(pid: number, file: string): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`)
  } catch {
    return undefined
  }
}

function isSetuid(pid: number): boolean {
  const effective = /^Uid:\s+\d+\s+(\d+)/m.exec(read(pid, 'status')?.toString('latin1') ?? '')?.[1]
  return effective === undefined || Number(effective) !== process.geteuid?.()
}

/** Ancestors whose terminal is another one than that of what they have started: they have made it. */
function makers(pid: number): string[] {
  const names: string[] = []
  let process = parse(pid)
  for (let i = 0; i < maxAncestors && process !== undefined && process.parent > 1; i++) {
    const parent = parse(process.parent)
    // The first one is made by the supervisor of the job.
    if (parent === undefined || parent.name.equals(supervisorName)) break
    if (process.terminal !== 0 && parent.terminal !== process.terminal) names.push(quoteName(parent.name))
    process = parent
  }
  return names
}

/** `PID (NAME) STATE PARENT GROUP SESSION TERMINAL …`. The name may hold anything; the last parenthesis ends it. */
function parse(pid: number): { name: Buffer; parent: number; terminal: number } | undefined {
  const stat = read(pid, 'stat')
  if (stat === undefined) return undefined
  const begin = stat.indexOf('(')
  const end = stat.lastIndexOf(')')
  const [, parent, , , terminal] = stat
    .toString('latin1', end + 2)
    .split(' ')
    .map(Number)
  return { name: stat.subarray(begin + 1, end), parent: parent ?? 0, terminal: terminal ?? 0 }
}
