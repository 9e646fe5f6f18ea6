// Background jobs as lines for a person.

import type { Job } from '../../commands/jobs/job.js'
import { formatAge } from '../../processes/output/age.js'
import { oneLine } from '../../processes/output/simplify-command.js'
import type { Paint, Style } from './colors.js'
import { type Cell, table } from './text-table.js'

/** How a job is, in the words of the tools: `running`, `failed: exit code 7`. */
export function describeStatus({
  status,
  exitCode,
  signal,
}: Pick<Job, 'status' | 'exitCode' | 'signal'>): string {
  switch (status) {
    case 'failed':
      return `failed: ${signal === null ? `exit code ${exitCode}` : `killed by ${signal}`}`
    case 'timed_out':
      return 'timed out'
    default:
      return status
  }
}

/** The same of a job that has ended: after how long it has timed out, too. */
export function describeEnd(job: Job): string {
  const { status, record } = job
  const isKnown = status === 'timed_out' && record !== null
  return isKnown ? `timed out after ${record.timeoutMs / 1000}s` : describeStatus(job)
}

export const statusStyles: Record<Job['status'], Style> = {
  running: 'bold',
  completed: 'green',
  failed: 'red',
  timed_out: 'red',
  killed: 'yellow',
  lost: 'yellow',
}

export interface JobsTableOptions {
  /** Milliseconds since the epoch. */
  now: number
  /** Columns of the terminal. Default: any number. */
  width?: number | undefined
  /** Default: no colours. */
  paint?: Paint
}

/** A line for each job, under a heading; where that leaves no room for commands, two lines. */
export function jobsTable(jobs: readonly Job[], { now, width, paint }: JobsTableOptions): string {
  const headings = ['ID', 'STATUS', 'AGE', 'PID', 'COMMAND'].map((title): Cell => [title, 'dim'])
  const rows = [headings, ...jobs.map((job) => cellsOf(job, now))]
  return table(rows, { overflow: 'cut', width, paint })
}

function cellsOf(job: Job, now: number): Cell[] {
  const { id, record, problem = 'its files cannot be read' } = job
  const status: Cell = [describeStatus(job), statusStyles[job.status]]
  if (record === null) return [[id], status, ['-'], ['-'], [`(${oneLine(problem)})`]]
  const age = formatAge(now - record.createdAt)
  return [[id], status, [age], [String(record.pid)], [oneLine(record.command)]]
}
