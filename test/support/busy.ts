// Keeps every core busy while a test runs.
import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

export interface BusyProcesses {
  stop(): Promise<void>
}

/** They end by themselves should the tests die before they stop them. */
const PROGRAM = 'const end = Date.now() + 120_000; while (Date.now() < end);'

const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })

/** Starts one busy process per core, to be ended with `stop()`. */
export const startBusyProcesses = (): BusyProcesses => {
  const children = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', PROGRAM], { stdio: 'ignore' }),
  )
  return {
    stop: async () => {
      await Promise.all(children.map(end))
    },
  }
}
