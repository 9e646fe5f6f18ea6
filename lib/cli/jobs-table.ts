// Background jobs as lines for a person.

import type { Job } from '../jobs/inspect.js'

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

/**
 * A line for each job, under a heading.
 *
 * @param now milliseconds since the epoch
 * @param width columns that the longest line may have
 */
export function jobsTable(jobs: readonly Job[], now: number, width = Number.POSITIVE_INFINITY): string {
  const rows = [['ID', 'STATUS', 'AGE', 'PID', 'COMMAND'], ...jobs.map((job) => cellsOf(job, now))]
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(cell.length, widest[column] ?? 0)),
    [],
  )
  return rows
    .map((row) => {
      const last = row.length - 1
      const line = row
        .map((cell, column) => (column < last ? cell.padEnd(widths[column] ?? 0) : cell))
        .join('  ')
      return `${cut(line, width)}\n`
    })
    .join('')
}

function cellsOf(job: Job, now: number): string[] {
  const { id, record, problem = 'its files cannot be read' } = job
  const status = describeStatus(job)
  if (record === null) return [id, status, '-', '-', `(${oneLine(problem)})`]
  return [id, status, formatAge(now - record.createdAt), String(record.pid), oneLine(record.command)]
}

/** A command may hold any character, also those that move a terminal's cursor. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
}

function cut(line: string, width: number): string {
  const characters = [...line]
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : line
}

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
] as const

function formatAge(milliseconds: number): string {
  // The clock may have been set back.
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  for (const [unit, size] of units) {
    if (seconds >= size) return `${Math.floor(seconds / size)}${unit}`
  }
  return `${seconds}s`
}
