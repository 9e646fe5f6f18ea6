// Resource limits without setrlimit(2): a bash that sets them with `ulimit`, and then becomes the shell.

import { readFileSync } from 'node:fs'

/** The option of `ulimit` for a RLIMIT_* number of Linux, and how many bytes a unit of it has. */
const options: ReadonlyMap<number, { letter: string; unit: number }> = new Map([
  [0, { letter: 't', unit: 1 }],
  [1, { letter: 'f', unit: 1024 }],
  [2, { letter: 'd', unit: 1024 }],
  [6, { letter: 'u', unit: 1 }],
  [7, { letter: 'n', unit: 1 }],
])

const processes = 6
/** As the native engine has it: a user's other programs are counted, too. */
const leastProcesses = 4096

/**
 * The arguments of a bash that executes another one. Privileged mode (`-p`) keeps it from reading BASH_ENV, which is
 * for the other. A limit above the hard one is lowered to it.
 *
 * @param limits resource, soft and hard limit, three numbers each
 */
export function limitingArguments(
  shell: string,
  words: readonly string[],
  limits: readonly number[],
): string[] {
  const lines: string[] = []
  for (let at = 0; at < limits.length; at += 3) {
    const [resource = -1, soft = 0, hard = 0] = limits.slice(at, at + 3)
    const option = options.get(resource)
    if (option === undefined) continue
    const { letter, unit } = option
    const base = resource === processes ? runningThreads() : 0
    const [softUnits, hardUnits] = [soft, hard].map((value) => {
      const units = Math.ceil(value / unit) + base
      return resource === processes ? Math.max(units, leastProcesses) : units
    })
    lines.push(
      `{ ulimit -S${letter} ${softUnits} || ulimit -S${letter} hard; ulimit -H${letter} ${hardUnits}; } 2>/dev/null`,
    )
  }
  lines.push('exec -a bash -- "$0" "$@"')
  return ['-p', '-c', lines.join('\n'), shell, ...words]
}

/** Of the whole machine, which is at least as many as this user's; 0 where that is not known. */
function runningThreads(): number {
  try {
    return Number(/\/(\d+) /.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
