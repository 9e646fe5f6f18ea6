// store.watch(). Loaded when somebody watches.

import type { JobEvent } from './event.js'
import { JobWatch } from './watch.js'
import { checkWatchOptions } from './watch-options.js'

/** What is told of jobs, one event after the other. */
export interface JobEvents extends AsyncIterableIterator<JobEvent, undefined> {
  /**
   * Whether the directories of the jobs are looked at twice a second, because nothing tells of their changes here:
   * no instance of inotify(7) is left, or they are on a network file system.
   */
  readonly isPolling: boolean
  return(): Promise<IteratorResult<JobEvent, undefined>>
}

export function watchJobs(root: string, options: unknown): JobEvents {
  try {
    return new JobWatch(root, checkWatchOptions(options))
  } catch (error) {
    return failed(error)
  }
}

/** As every method of a store, it rejects. */
function failed(error: unknown): JobEvents {
  const done = { done: true, value: undefined } as const
  return {
    isPolling: false,
    next: () => Promise.reject(error),
    return: () => Promise.resolve(done),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
