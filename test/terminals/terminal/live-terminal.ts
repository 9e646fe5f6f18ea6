// Jobs with a terminal in a directory of the test, started as a host does it.
import { join } from 'node:path'
import type { JobStore, JobTerminal, RunOptions } from '../../../lib/index.js'
import { run } from '../../../lib/index.js'
import { liveStore } from '../../commands/jobs-live/live-jobs.js'
import { tempDir } from '../../support/temp-dir.js'

export interface LiveTerminal {
  id: string
  outputFile: string
  store: JobStore
  terminal: JobTerminal
}

const opened = new Set<JobTerminal>()
const before = process.env.XDG_STATE_HOME

/** @param beside another one, whose directory of jobs it shares; default: a new one */
export const startTerminal = async (
  command: string,
  options: Partial<RunOptions> = {},
  beside?: LiveTerminal,
): Promise<LiveTerminal> => {
  const store = beside?.store ?? newStore()
  const result = await run(command, { cwd: '/', tty: true, termGraceMs: 500, ...options })
  const { jobId: id = '', outputFile = '' } = result
  const terminal = store.open(id)
  opened.add(terminal)
  return { id, outputFile, store, terminal }
}

function newStore(): JobStore {
  const state = tempDir()
  process.env.XDG_STATE_HOME = state
  return liveStore(join(state, 'bashward', 'jobs'))
}

/** For `afterEach`, before `leaveNothing`. */
export const closeTerminals = (): void => {
  for (const terminal of opened) terminal.close()
  opened.clear()
  if (before === undefined) delete process.env.XDG_STATE_HOME
  else process.env.XDG_STATE_HOME = before
}
