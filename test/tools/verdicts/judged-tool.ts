// A tool with verdicts, and a person who writes down what is asked.
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ApprovalRequest,
  type Approve,
  createBashTool,
  JobStore,
  type ToolContext,
  type VerdictOptions,
} from '../../../lib/index.js'
import { tempDir } from '../../support/temp-dir.js'

export const setUp = (verdicts: VerdictOptions) => {
  const workingDir = realpathSync(tempDir())
  const tool = createBashTool({ verdicts, jobs: new JobStore({ directory: tempDir() }) })
  const run = (command: string, context: Partial<ToolContext> = {}) =>
    tool.execute({ command }, { workingDir, ...context })
  return { tool, workingDir, run, made: join(workingDir, 'made') }
}

/** Writes down what it is asked. */
export const approving = (answer: Awaited<ReturnType<Approve>>) => {
  const requests: ApprovalRequest[] = []
  const approve: Approve = async (request) => {
    requests.push(request)
    return answer
  }
  return { requests, approve }
}
