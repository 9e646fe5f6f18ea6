// Runs what was judged so that a wrong judgement harms nobody: in a pid namespace, which ends with the time that it has,
// as a user of whom it is known how many processes there may be. A fork bomb was allowed once, and took a machine down.

import { spawnSync } from 'node:child_process'
import { lchownSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const isRoot = process.getuid() === 0
/** Limits do not hold for root, so it runs them as nobody. */
const nobody = 65_534
const user = isRoot ? nobody : process.getuid()
/** Processes that a command may start, beside those that the user has. */
const maxProcesses = 200

/** Gives the tree to whom the commands run as. */
export const handOver = (path) => {
  if (!isRoot) return
  lchownSync(path, nobody, nobody)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) handOver(join(path, entry.name))
    else lchownSync(join(path, entry.name), nobody, nobody)
  }
}

/** The processes and threads of the user. */
const countTasks = () => {
  let count = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (statSync(`/proc/${pid}`).uid === user) count += readdirSync(`/proc/${pid}/task`).length
    } catch {
      // It has ended.
    }
  }
  return count
}

const namespace = [
  ...(isRoot ? [] : ['--user', '--map-current-user']),
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
]
const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']

/**
 * @param {readonly string[]} words a program and its parameters
 * @param {{ copy: import('./copies.mjs').Copy, seconds: number, input?: string }} options
 */
export const runBounded = (words, { copy, seconds, input }) =>
  spawnSync(
    'unshare',
    [
      ...namespace,
      // The first process of the namespace: with it all others end.
      ...['timeout', '--signal=KILL', String(seconds)],
      ...(isRoot ? asNobody : []),
      ...['prlimit', `--nproc=${countTasks() + maxProcesses}`],
      ...words,
    ],
    {
      cwd: copy.project,
      env: copy.environment,
      input,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'ignore', 'ignore'],
      timeout: (seconds + 5) * 1000,
      killSignal: 'SIGKILL',
    },
  )

/** Whether commands can be run like that here. */
export const canBound = () =>
  spawnSync('unshare', [...namespace, 'prlimit', '--nproc=9999', 'true'], { stdio: 'ignore' }).status === 0
