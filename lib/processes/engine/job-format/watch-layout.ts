// What stands beside the directories of jobs, so that their ends can be told: running/ID while a job runs, ended/ID from
// then on, and what each consumer has acknowledged.

import { join } from 'node:path'
import { crypto } from '../../../base/util/lazy.js'

export interface WatchPaths {
  root: string
  running: string
  ended: string
  consumers: string
}

export interface ConsumerPaths {
  directory: string
  /** Locked by who watches; its age is how long ago that one last came. */
  lock: string
  /** Whose ends it wants. */
  scope: string
  /** A file for each end that it has acknowledged. */
  acked: string
  /** How many ends it will not be told of, because there were too many. */
  missed: string
}

export function watchPaths(root: string): WatchPaths {
  return {
    root,
    running: join(root, 'running'),
    ended: join(root, 'ended'),
    consumers: join(root, 'consumers'),
  }
}

/** Names are anybody's, and so never become part of a path. */
export function consumerDirectoryName(name: string): string {
  return crypto().createHash('sha256').update(`bw1\0${name}`).digest('hex')
}

export function consumerPaths(root: string, directoryName: string): ConsumerPaths {
  const directory = join(watchPaths(root).consumers, directoryName)
  return {
    directory,
    lock: join(directory, 'lock'),
    scope: join(directory, 'scope.json'),
    acked: join(directory, 'acked'),
    missed: join(directory, 'missed'),
  }
}
