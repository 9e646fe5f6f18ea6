// Starting background jobs with the bash tool, in a store of their own.
import {
  type BashResult,
  type BashTool,
  type BashToolOptions,
  createBashTool,
  type JobStore,
  type ToolContext,
} from '../../lib/index.js'
import { tempStore, waitForStatusLine } from '../support/jobs.js'

export interface StartedJob {
  store: JobStore
  result: BashResult
  text: string
  tool: BashTool
}

/** What the model would see of the call is `text`. */
export const startJob = async (
  command: string,
  options: BashToolOptions = {},
  context: Partial<ToolContext> = {},
): Promise<StartedJob> => {
  const store = tempStore()
  const tool = createBashTool({ jobs: store, ...options })
  const result = await tool.execute({ command, mode: 'background' }, { workingDir: '/', ...context })
  return { store, result, text: tool.toText(result), tool }
}

/** Runs a job to its end, and resolves with the whole of its output file. */
export const fileOfJob = async (command: string, options: BashToolOptions = {}): Promise<string> => {
  const { result } = await startJob(command, options)
  return waitForStatusLine(result.outputFile)
}
