// Finds the real processes of a test by a marker in their arguments, and leaves none of them behind.
import { readdirSync, readFileSync } from 'node:fs'
import { waitFor } from './wait-for.js'

export interface Process {
  pid: number
  /** The state letter of proc(5): `'Z'` is a zombie. */
  state: string
  args: string[]
}

let serial = 0
const markers: string[] = []

/**
 * A number of seconds, about five minutes, that no other process of this machine waits for: `sleep ${uniqueSleep()}`.
 * It is the marker by which the process is found. It has a fixed width, so no marker is a part of another.
 */
export const uniqueSleep = (): string => {
  serial += 1
  const marker = `300.${String(process.pid).padStart(7, '0')}${String(serial).padStart(4, '0')}`
  markers.push(marker)
  return marker
}

const readProcess = (pid: number): Process | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it may hold blanks and parentheses.
    const state = stat.charAt(stat.lastIndexOf(')') + 2)
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
    return { pid, state, args }
  } catch {
    return undefined
  }
}

const allProcesses = (): Process[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((found) => found !== undefined)

/** The living processes that carry `marker` in an argument. bash is not among them: it hides those that it was given. */
export const processesWith = (marker: string): Process[] =>
  allProcesses().filter(
    ({ pid, state, args }) =>
      pid !== process.pid && state !== 'Z' && state !== 'X' && args.some((arg) => arg.includes(marker)),
  )

/** Those of them that are a `sleep`: what the command has left running. */
export const sleepsWith = (marker: string): Process[] =>
  processesWith(marker).filter(({ args }) => args[0] === 'sleep')

/** The state letter of `pid`; undefined when there is no such process. */
export const stateOf = (pid: number): string | undefined => readProcess(pid)?.state

/** Whether `pid` runs; a zombie does not. */
export const isAlive = (pid: number): boolean => {
  const found = readProcess(pid)
  return found !== undefined && found.state !== 'Z' && found.state !== 'X'
}

/** Waits until `sleep marker` runs, and resolves with all of its processes. */
export const waitForSleep = (marker: string, count = 1): Promise<Process[]> =>
  waitFor(
    () => {
      const found = sleepsWith(marker)
      return found.length >= count ? found : undefined
    },
    { what: `${count} × sleep ${marker} to run` },
  )

/** A command that starts a daemon and a child, prints `on` once both sleep, and waits for the child. */
export const daemonAndChild = (marker: string): string =>
  [
    `setsid -f sleep ${marker}`,
    `sleep ${marker} &`,
    `until [ "$(pgrep -cxf 'sleep ${marker}')" = 2 ]; do sleep .01; done`,
    'echo on',
    'wait',
  ].join('\n')

/** Waits until no process with `marker` runs. */
export const waitUntilGone = async (marker: string, deadlineMs = 10_000): Promise<void> => {
  await waitFor(() => processesWith(marker).length === 0, {
    what: `every process with ${marker} to be gone`,
    deadlineMs,
    intervalMs: 10,
  })
}

/** Kills what the markers of this test file still show. For `afterEach`; each pid was started by the test. */
export const killLeftovers = (): void => {
  for (const marker of markers) {
    for (const { pid } of processesWith(marker)) {
      if (pid <= 1) continue
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It ended between looking and killing.
      }
    }
  }
  markers.length = 0
}
