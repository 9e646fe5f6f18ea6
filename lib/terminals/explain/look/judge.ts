// Which of the processes of a command explain that it does not go on, and how.

import { type Finding, maxPieceLength, type Piece } from '../finding.js'
import type { WaitingKind } from '../waiting-for.js'
import { openLockedFile } from './lock-waits.js'
import { commandOf, type FirstLook, readStat, type Stat, threadsOf } from './processes.js'
import type { Scene, Thread } from './scene.js'
import { waitOf } from './waits.js'
import { ranks, seconds, type Wait } from './words.js'

/** Percent of a processor from which on a process is called busy. */
const busyPercent = 15
/** Times a second that a process runs from which on it is called active: it waits, and yet goes on. */
const activeRate = 5
const maxFindings = 8

interface Judged extends Wait {
  pid: number
  stat: Stat
}

/** @returns what explains most first; of what explains nothing, one */
export function judge(scene: Scene, first: FirstLook): Finding[] {
  const judged = [...scene.pids].flatMap((pid) => judgeProcess(scene, pid, first) ?? [])
  const sorted = judged.sort((a, b) => b.rank - a.rank)
  const telling = sorted.filter(({ rank }) => rank > ranks.few)
  const chosen = telling.length > 0 ? telling : sorted.slice(0, 1)
  return chosen.slice(0, maxFindings).map((each) => toFinding(scene, each))
}

function judgeProcess(scene: Scene, pid: number, first: FirstLook): Judged | undefined {
  const stat = readStat(scene.proc, String(pid))
  // It has ended, and its parent has not asked how.
  if (stat === undefined || stat.state === 'X') return undefined
  const usage = first.usage(pid, stat)
  if (usage.own >= busyPercent) {
    const rank = ranks.lock + 1 + usage.own / 1e6
    return { pid, stat, kind: 'busy', text: [`busy, ${usage.own} % of a processor`], rank }
  }
  if (usage.children >= busyPercent) {
    const text = `busy with short programs that it starts, ${usage.children} % of a processor`
    return { pid, stat, kind: 'busy', text: [text], rank: ranks.lock + 1 }
  }
  const wait = mainWait(scene, pid, first, usage.own)
  if (wait === undefined) return undefined
  const age = first.ageOfNew(pid, stat)
  if (age === undefined || wait.rank <= ranks.few) return { pid, stat, ...wait }
  // What has just started holds up nothing.
  const text = [`started ${seconds(age)} s ago; `, ...wait.text]
  return { pid, stat, ...wait, kind: 'active', text, rank: ranks.few + 1 }
}

/** Kinds of a first thread that leaves the work to others. */
const idle: ReadonlySet<WaitingKind> = new Set(['thread', 'signal', 'events'])

/** Of the threads of a process the one that tells most: the first, unless that only waits for the others. */
function mainWait(scene: Scene, pid: number, first: FirstLook, percent: number): Wait | undefined {
  const { proc } = scene
  let best: Wait | undefined
  // The first thread has the number of the process; the kernel lists it first.
  for (const tid of threadsOf(proc, pid)) {
    const stat = readStat(proc, `${pid}/task/${tid}`)
    if (stat === undefined || stat.state === 'Z' || stat.state === 'X') continue
    const runs = first.runsSince(proc, pid, tid)
    const found = stat.state === 'R' ? running(percent) : blocked(scene, { pid, tid, stat, runs }, first)
    if (best === undefined || found.rank > best.rank) best = found
    if (tid === pid && !idle.has(found.kind)) break
  }
  return best
}

/** Other processes may have what it lacks. */
const running = (percent: number): Wait => ({
  kind: 'active',
  text: [`running, ${percent} % of a processor`],
  rank: ranks.sleep,
})

function blocked(scene: Scene, thread: Thread, first: FirstLook): Wait {
  const { pid, runs } = thread
  const wait = waitOf(scene, thread)
  const locked = wait.kind === 'sleep' && runs !== 0 ? openLockedFile(scene, pid) : undefined
  return locked ?? withProgress(wait, runs, first)
}

/** Of a thread that has run again and again nobody can say that it is stuck where it is. */
function withProgress(wait: Wait, runs: number | undefined, first: FirstLook): Wait {
  const elapsedMs = performance.now() - first.at
  const isActive = runs !== undefined && runs >= Math.max(2, (activeRate * elapsedMs) / 1000)
  if (!isActive || wait.kind === 'lock') return wait
  const text: Piece[] = [`active (ran ${runs} times in ${seconds(elapsedMs)} s), just now `, ...wait.text]
  return { ...wait, kind: 'active', text, rank: Math.min(wait.rank, ranks.server) }
}

function toFinding({ proc, pids }: Scene, { pid, stat, kind, text, peer }: Judged): Finding {
  const command = commandOf(proc, pid, stat, maxPieceLength)
  const other = peer && readStat(proc, String(peer.pid))
  if (peer === undefined) return { pid, command, kind, text }
  // The arguments of a process that is not the command's are nobody's business here.
  const itsCommand =
    other &&
    (peer.isOwn && pids.has(peer.pid) ? commandOf(proc, peer.pid, other, maxPieceLength) : other.name)
  const named: Piece[] = itsCommand === undefined ? [] : [' (', { command: itsCommand }, ')']
  const word = peer.word ?? ': '
  return {
    pid,
    command,
    kind,
    text: [...text, `${word}${peer.pid}`, ...named],
    peer: { pid: peer.pid, command: itsCommand ?? '' },
  }
}
