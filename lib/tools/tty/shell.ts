// Whether a job with a terminal holds a shell, or something behind which one may be: what is typed into it may be commands.

import { readFileSync } from 'node:fs'
import { readlink, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { once } from '../../base/util/lazy.js'
import { timeLimit } from '../../base/util/time-limit.js'
import { supervisorOf } from '../../commands/jobs/inspect.js'
import type { Job } from '../../commands/jobs/job.js'
import { descendantsOf } from '../../commands/jobs/listening/job-processes.js'

const shells = [
  ...['sh', 'bash', 'rbash', 'dash', 'ash', 'busybox', 'zsh', 'ksh', 'ksh93', 'mksh', 'fish', 'csh', 'tcsh'],
  ...['nu', 'xonsh', 'elvish', 'pwsh'],
]
/** What passes keys on to another shell. */
const relays = [
  ...[
    'ssh',
    'dbclient',
    'mosh-client',
    'et',
    'telnet',
    'rlogin',
    'rsh',
    'nc',
    'ncat',
    'socat',
    'picocom',
    'minicom',
  ],
  ...['tmux', 'screen', 'zellij', 'dtach', 'abduco', 'script', 'adb', 'virsh', 'session-manager-plugin'],
  ...[
    'docker',
    'podman',
    'nerdctl',
    'ctr',
    'crictl',
    'kubectl',
    'oc',
    'lxc',
    'incus',
    'machinectl',
    'systemd-run',
  ],
]
const directories = ['/bin', '/usr/bin', '/usr/local/bin']

/** A file system that does not answer is not waited for. */
const lookMs = 1_000

export type Kind = 'shell' | 'relay' | 'other'

/**
 * By the inode of its executable, as a process may have any name; or by the name of the file, wherever it is installed. `other`,
 * too, when it is gone.
 */
export async function kindOfProcess(pid: number): Promise<Kind> {
  const identity = await identityOf(`/proc/${pid}/exe`)
  if (identity === 'gone') return 'other'
  // One that cannot be looked into, such as sudo, may run a shell.
  if (identity === 'hidden') return 'relay'
  const known = (await programs()).get(identity) ?? (await kindOfFile(pid))
  return known === 'shell' && isScript(pid) ? 'other' : (known ?? 'other')
}

/** Whether any process of the job is a shell that may read commands from its terminal, or may have one behind it. */
export async function holdsShell(job: Job): Promise<boolean> {
  const supervisor = supervisorOf(job)
  if (supervisor === undefined) return true
  const pids = descendantsOf(supervisor.pid)
  // /proc does not show them, or the job has just ended.
  if (pids.length === 0) return true
  const kinds = await Promise.all(pids.map(kindOfProcess))
  return kinds.some((kind) => kind !== 'other')
}

const programs = once(async (): Promise<Map<string, Kind>> => {
  const found = new Map<string, Kind>()
  const add = async (paths: readonly string[], kind: Kind) => {
    for (const path of paths) {
      const identity = await identityOf(path)
      if (identity !== 'gone' && identity !== 'hidden') found.set(identity, kind)
    }
  }
  const inAll = (names: readonly string[]) =>
    directories.flatMap((each) => names.map((name) => `${each}/${name}`))
  await add(inAll(relays), 'relay')
  await add([...inAll(shells), ...loginShells()], 'shell')
  return found
})

async function kindOfFile(pid: number): Promise<Kind | undefined> {
  const path = await readlink(`/proc/${pid}/exe`).catch(() => '')
  // Of one that was replaced by an update the kernel says `tmux (deleted)`.
  const name = basename(path).replace(/ \(deleted\)$/, '')
  return shells.includes(name) ? 'shell' : relays.includes(name) ? 'relay' : undefined
}

/** Those that are listed for people. */
function loginShells(): string[] {
  try {
    return readFileSync('/etc/shells', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('/'))
  } catch {
    return []
  }
}

/** `hidden`: it may not be looked at, or its file system does not answer. */
async function identityOf(path: string): Promise<string> {
  let endLimit = () => {}
  const late = new Promise<'hidden'>((resolve) => {
    endLimit = timeLimit(lookMs, () => resolve('hidden'))
  })
  const looked = stat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    ({ code }: NodeJS.ErrnoException) => (code === 'EACCES' || code === 'EPERM' ? 'hidden' : 'gone'),
  )
  try {
    return await Promise.race([looked, late])
  } finally {
    endLimit()
  }
}

/** Options of shells that are followed by a value. */
const withValue = new Set(['-o', '+o', '-O', '+O', '--rcfile', '--init-file'])

/** Fields 48 and 49. The name before them may hold spaces and parentheses. */
function sizeOfArguments(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[46]) - Number(fields[45])
}

/** Whether a shell was told what to run, and so reads no commands: `bash -c TEXT`, `bash FILE`. */
function isScript(pid: number): boolean {
  let line: string
  let area: number
  try {
    line = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
    area = sizeOfArguments(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return true
  }
  // The supervisor has hidden those of the shell that runs the command: native/supervisor/hidden_arguments.cc.
  if (area > line.length) return true
  const [name = '', ...words] = line.split('\0').slice(0, -1)
  // `busybox sh`
  if (name.endsWith('busybox')) words.shift()
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (withValue.has(word)) at++
    else if (word === '--' || word === '-') return isFile(words[at + 1])
    else if (word.startsWith('--')) continue
    else if (!/^[-+]/.test(word)) return isFile(word)
    else if (/[is]/.test(word)) return false
    else if (word.startsWith('-') && word.includes('c')) return true
  }
  return false
}

/** One of these may lead to the terminal. */
const isFile = (operand: string | undefined): boolean =>
  operand !== undefined && !/^\/(?:dev|proc)\//.test(operand)
