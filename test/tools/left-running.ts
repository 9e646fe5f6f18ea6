// Commands that leave processes running.
import { type BashResult, type BashToolOptions, createBashTool, type JobStore } from '../../lib/index.js'
import type { ToolContext } from '../../lib/tools/types.js'
import { tempStore } from '../support/jobs.js'

export interface Called {
  store: JobStore
  result: BashResult
  text: string
}

/** A call of a bash tool with a store of its own. */
export const callWithStore = async (
  command: string,
  options: BashToolOptions = {},
  context: Partial<ToolContext> = {},
): Promise<Called> => {
  const store = tempStore()
  const tool = createBashTool({ jobs: store, ...options })
  const result = await tool.execute({ command }, { workingDir: '/', ...context })
  return { store, result, text: tool.toText(result) }
}

/** A child that is a `sleep` by the time the command goes on: until then it is a copy of bash. */
export const sleepChild = (marker: string): string =>
  `sleep ${marker} & until pgrep -xf 'sleep ${marker}'; do sleep .01; done >/dev/null`

/** A daemon by its own choice: a session of its own, and no output. */
export const sleepDaemon = (marker: string): string =>
  `setsid -f sleep ${marker} </dev/null >/dev/null 2>&1; until pgrep -xf 'sleep ${marker}'; do sleep .01; done >/dev/null`
