// Where the background jobs are: the directory of all of them, and the files of one.

import { existsSync, type Stats, statSync } from 'node:fs'
import { constants as os } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { BashError, describeFailure, type SystemFailure, systemError } from '../../base/errors.js'
import { homeDirectory } from '../../base/util/directories.js'
import { part } from '../../base/util/load-part.js'
import { otherState, ownState } from '../../base/util/own-state.js'
import type * as LedDirectory from '../../guard/sandbox/led-directory.js'

/** The files of one job. */
export interface JobPaths {
  directory: string
  /** What the job is. Written once, at its start. */
  record: string
  /** What it printed. */
  output: string
  /** How it ended. Written once, at its end. */
  exit: string
}

const idPattern = /^bash_[a-z0-9]{6,8}$/
const writableByOthers = 0o022

/**
 * `$XDG_STATE_HOME/bashward/jobs`, else `~/.local/state/bashward/jobs`.
 *
 * @throws {BashError} ERR_JOB_DIRECTORY when there is no home directory
 */
export function defaultJobsDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const state = ownState(env)
  if (state !== undefined) return join(state, 'jobs')
  const { HOME: home = homeDirectory() } = env
  const named = { step: 'find the home directory', path: home }
  const { step, path } = isAbsolute(home) ? named : { step: 'find', path: 'the home directory' }
  throw withWayOut({ step, errno: existsSync(path) ? os.errno.ENOTDIR : os.errno.ENOENT, path })
}

/**
 * What tells a directory from another one of its name. One that is made anew may get the number of the one before: it is
 * younger.
 *
 * @throws {Error} as statSync
 */
export function directoryIdentity(path: string): string {
  const { dev, ino, birthtimeMs } = statSync(path)
  return `${dev} ${ino} ${birthtimeMs}`
}

/** An ERR_JOB_DIRECTORY that says where jobs could be instead. */
export function withWayOut(failure: SystemFailure): BashError {
  const message = `${describeFailure(failure)}: ${otherState}, or give JobStore({ directory })`
  return new BashError('ERR_JOB_DIRECTORY', message, failure)
}

const directories = part((): typeof LedDirectory => require('../../guard/sandbox/led-directory.js'))

/**
 * Records found in the directory are believed: processes they name get signals. So it must be this user's, writable by
 * nobody else, and where no command may have led it.
 *
 * @returns whether it exists
 * @throws {BashError} ERR_JOB_DIRECTORY
 */
export function checkJobsDirectory(root: string): boolean {
  const { refusal } = directories().ledDirectory(root)
  if (refusal !== undefined) throw refuse(root, os.errno.EPERM, refusal)
  const stats = statIfExists(root)
  if (stats === undefined) return false
  if (!stats.isDirectory()) throw refuse(root, os.errno.ENOTDIR, 'must be a directory')
  const uid = process.geteuid?.()
  if (stats.uid !== uid) throw refuse(root, os.errno.EPERM, `belongs to user ${stats.uid}, not to ${uid}`)
  if ((stats.mode & writableByOthers) !== 0) {
    const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0')
    throw refuse(root, os.errno.EPERM, `its mode ${mode} lets others write to it (allowed: 0700)`)
  }
  return true
}

function statIfExists(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw directoryError('stat', path, cause)
  }
}

function refuse(path: string, errno: number, reason: string): BashError {
  const failure = { step: 'check', errno, path }
  return new BashError('ERR_JOB_DIRECTORY', `${describeFailure(failure)}: ${reason}`, failure)
}

/** An ERR_JOB_DIRECTORY for an error of node:fs. */
export function directoryError(step: string, path: string, cause: unknown): BashError {
  const { errno = 0 } = cause as NodeJS.ErrnoException
  return systemError('ERR_JOB_DIRECTORY', { step, errno: Math.abs(errno), path }, cause)
}

/** Whether a file is there. @throws {BashError} ERR_JOB_DIRECTORY with step, errno and path when that cannot be told */
export function isThere(path: string): boolean {
  return statIfExists(path) !== undefined
}

/** Whether `id` has the form of an id; others never become part of a path. */
export function isJobId(id: unknown): id is string {
  return typeof id === 'string' && idPattern.test(id)
}

export function jobPaths(root: string, id: string): JobPaths {
  const directory = join(root, id)
  return {
    directory,
    record: join(directory, 'job.json'),
    output: join(directory, 'output'),
    exit: join(directory, 'exit.json'),
  }
}
