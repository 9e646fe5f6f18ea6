// KillBash: ends a background command with everything it has started.

import { BashError } from '../../base/errors.js'
import type { KillJobResult } from '../../commands/jobs/kill.js'
import { belongsTo } from '../../commands/jobs/kill-command.js'
import type { JobStore } from '../../commands/jobs/store.js'
import type { SandboxName } from '../../guard/sandbox/policy.js'
import type { JobNews } from '../job-news.js'
import type { Tool } from '../types.js'
import { errorText, jobTool } from './job-tool.js'
import { type KillBashInput, killBashSchema } from './schemas.js'

export interface KillBashResult extends KillJobResult, JobNews {}

export type KillBashTool = Tool<KillBashInput, KillBashResult>

export function createKillBashTool(store: () => JobStore): KillBashTool {
  return jobTool<typeof killBashSchema, KillBashResult>({
    name: 'KillBash',
    schema: killBashSchema,
    description: 'Kills a background command that was started with run_in_background.',
    async call({ bash_id: id }, { sandbox, owner }) {
      const jobs = store()
      if (sandbox !== 'unrestricted') await refuseOthers(jobs, id, owner.conversationId, sandbox)
      return await jobs.kill(id)
    },
    failure: (error) => ({ status: 'error', error }),
    jobs: { store, redact: true },
    toText,
  })
}

const modeNames = { restricted: 'Restricted mode', workspace: 'Workspace mode', custom: 'a sandbox' }

/** @throws {BashError} ERR_JOB_NOT_KILLED; ERR_JOB_NOT_FOUND */
async function refuseOthers(
  jobs: JobStore,
  id: string,
  conversationId: string | undefined,
  sandbox: Exclude<SandboxName, 'unrestricted'>,
): Promise<void> {
  // Unlike get, it does not look where the job listens.
  const { record } = await jobs.wait(id, { timeoutMs: 0 })
  if (record !== null && belongsTo(record, conversationId)) return
  const message = `${id} is not of this conversation: ${modeNames[sandbox]} ends no other's background commands`
  throw new BashError('ERR_JOB_NOT_KILLED', message)
}

function toText({ status, error }: KillBashResult): string {
  if (status === 'killed') return '[killed]'
  if (status === 'not_running') return `[not running${error === undefined ? '' : `: ${error.message}`}]`
  return errorText(error)
}
