// The context of the exec tool: that of any tool, but nothing in it is required.

import { resolveDirectory } from '../util/directories.js'
import { invalidInput } from '../util/invalid-input.js'
import { type ResolvedContext, resolveCommonFields } from './context.js'
import type { ExecResult } from './exec-result.js'
import type { ToolContext } from './types.js'

export interface ExecContext extends Omit<ToolContext<ExecResult>, 'workingDir' | 'session'> {
  /** Where commands run. Default: the process's own directory. */
  workingDir?: string | undefined
}

/** @throws {BashError} ERR_INVALID_INPUT naming the field; ERR_WORKING_DIR */
export function resolveExecContext(context: ExecContext = {}): ResolvedContext<ExecResult> {
  const { workingDir = '.', session, ...common } = resolveCommonFields<ExecResult>(context)
  if (session !== undefined)
    throw invalidInput(
      'context.session',
      'belongs to the bash tool or the suite: the exec tool has none',
      session,
    )
  return { ...common, session, workingDir: resolveDirectory('context.workingDir', workingDir) }
}
