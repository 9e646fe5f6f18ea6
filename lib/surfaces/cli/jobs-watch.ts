// `bashward jobs watch`: what becomes of jobs, as it happens.

import type { JobStore } from '../../commands/jobs/store.js'
import { eventText, type JobEvent } from '../../commands/jobs/watch/event.js'
import { ExitStatus } from './command-line.js'
import type { JobsCall } from './jobs-options.js'
import { printHint } from './status-lines.js'
import { writeText } from './stdio.js'

type WatchCall = Extract<JobsCall, { action: 'watch' }>

/**
 * Acknowledges what has been printed.
 *
 * @param signal ends it
 * @throws the reason of `signal`; {BashError} as the iteration of {@link JobStore.watch}
 */
export async function watchJobs(call: WatchCall, store: JobStore, signal: AbortSignal): Promise<number> {
  const { id, json, consumer, match } = call
  const events = store.watch({ jobId: id, consumer, match, signal })
  let isSaid = false
  for await (const event of events) {
    if (events.isPolling && !isSaid) {
      isSaid = true
      await printHint(
        'Nothing tells of changes of the directory of jobs here: it is looked at twice a second.',
      )
    }
    const text = json ? JSON.stringify(asJson(event)) : eventText(event)
    // Nobody reads it any more: so nobody was told.
    if (!(await writeText(process.stdout, `${text}\n`))) break
    await event.acknowledge()
  }
  signal.throwIfAborted()
  return ExitStatus.success
}

const asJson = ({ acknowledge, ...fields }: JobEvent) => fields
