// KillBash: ends a background command with everything it has started.

import { BashError, describeError } from '../../errors.js'
import type { KillJobResult } from '../../jobs/kill.js'
import { belongsTo } from '../../jobs/kill-command.js'
import type { JobStore } from '../../jobs/store.js'
import { validInput } from '../../util/schema/valid-input.js'
import { callMethods, contextOf } from '../call-methods.js'
import { checkContext, type ResolvedContext, resolveContext } from '../context.js'
import type { Tool, ToolContext } from '../types.js'
import { errorText } from './error-text.js'
import { type KillBashInput, killBashSchema } from './schemas.js'

export type KillBashResult = KillJobResult

export type KillBashTool = Tool<KillBashInput, KillBashResult>

export function createKillBashTool(store: () => JobStore): KillBashTool {
  return {
    name: 'KillBash',
    inputSchema: killBashSchema,
    description(context) {
      checkContext(context)
      return 'Kills a background command that was started with run_in_background.'
    },
    toText,
    ...callMethods<ToolContext<KillBashResult>, ResolvedContext<KillBashResult>, KillBashResult>(
      resolveContext,
      async (received) => {
        try {
          const { bash_id: id } = validInput(killBashSchema, received.input)
          const { sandbox, owner } = contextOf(received)
          const jobs = store()
          if (sandbox === 'restricted') await refuseOthers(jobs, id, owner.conversationId)
          return await jobs.kill(id)
        } catch (error) {
          return { status: 'error', error: describeError(error) }
        }
      },
    ),
  }
}

/** @throws {BashError} ERR_JOB_NOT_KILLED; ERR_JOB_NOT_FOUND */
async function refuseOthers(jobs: JobStore, id: string, conversationId: string | undefined): Promise<void> {
  const { record } = await jobs.get(id)
  if (record !== null && belongsTo(record, conversationId)) return
  const message = `${id} is not of this conversation: Restricted mode ends no other's background commands`
  throw new BashError('ERR_JOB_NOT_KILLED', message)
}

function toText({ status, error }: KillBashResult): string {
  if (status === 'killed') return '[killed]'
  if (status === 'not_running') return `[not running${error === undefined ? '' : `: ${error.message}`}]`
  return errorText(error)
}
