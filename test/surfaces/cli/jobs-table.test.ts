import { inspectJob } from '../../../lib/commands/jobs/inspect.js'
import type { Job } from '../../../lib/index.js'
import { describeStatus, jobsTable } from '../../../lib/surfaces/cli/jobs-table.js'
import { jobsDirectory, writeJob } from '../../commands/jobs/job-files.js'
import { removeTempDirs } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

const now = Date.UTC(2026, 0, 1)

const jobOf = (command: string, ageSeconds = 0): Job => {
  const root = jobsDirectory()
  writeJob(root, 'bash_aaaaaa', { command, createdAt: now - ageSeconds * 1000, exit: { exitCode: 0 } })
  return inspectJob(root, 'bash_aaaaaa') as Job
}

describe('jobsTable', () => {
  test('aligns what it says of each job', () => {
    const jobs: Job[] = [jobOf('sleep 1', 5), { ...jobOf('make test', 7200), status: 'failed', exitCode: 7 }]
    expect(jobsTable(jobs, { now })).toBe(
      [
        'ID           STATUS               AGE  PID      COMMAND',
        'bash_aaaaaa  completed            5s   4194304  sleep 1',
        'bash_aaaaaa  failed: exit code 7  2h   4194304  make test',
        '',
      ].join('\n'),
    )
  })

  test.each([
    [0, '0s'],
    [59.9, '59s'],
    [60, '1m'],
    [3599, '59m'],
    [86_399, '23h'],
    [864_000, '10d'],
    [-5, '0s'],
  ])('an age of %d seconds is %s', (seconds, age) => {
    expect(jobsTable([jobOf('true', seconds)], { now })).toContain(
      `completed  ${age.padEnd(3)}  4194304  true\n`,
    )
  })

  test('cuts lines to the width of the terminal', () => {
    const lines = jobsTable([jobOf('echo é😀'.repeat(50))], { now, width: 60 }).split('\n')
    expect(lines.map((line) => [...line].length)).toEqual([45, 60, 0])
    expect(lines[1]).toMatch(/…$/)
  })

  test('gives commands lines of their own where the terminal is narrow', () => {
    expect(jobsTable([jobOf('npm run build -- --watch --verbose')], { now, width: 30 })).toBe(
      [
        'ID           STATUS     AGE  PID',
        '  COMMAND',
        'bash_aaaaaa  completed  0s   4194304',
        '  npm run build -- --watch --…',
        '',
      ].join('\n'),
    )
  })

  test('shows by its colour how a job is, and stays aligned', () => {
    const paint = (style: string, text: string) => `<${style}>${text}</>`
    const jobs: Job[] = [
      jobOf('a'),
      { ...jobOf('b'), status: 'failed', exitCode: 7 },
      { ...jobOf('c'), status: 'running' },
    ]
    const text = jobsTable(jobs, { now, paint })

    expect(text).toContain('  <green>completed</>            0s ')
    expect(text).toContain('  <red>failed: exit code 7</>  0s ')
    expect(text).toContain('  <bold>running</>              0s ')
    expect(text.replace(/<\/?\w*>/g, '')).toBe(jobsTable(jobs, { now }))
  })

  test('a command is one line, and moves no cursor', () => {
    expect(jobsTable([jobOf('cat <<X\n\ta\x1b[2Jb\r\n\u202eX\u009b')], { now })).toMatch(
      / {2}cat <<X a \[2Jb X\n$/,
    )
  })

  test('a job whose files cannot be read says why', () => {
    const job: Job = { ...jobOf('true'), status: 'lost', record: null, problem: 'job.json: not an object' }
    expect(jobsTable([job], { now })).toMatch(
      /^bash_aaaaaa {2}lost {4}- {4}- {4}\(job\.json: not an object\)$/m,
    )
  })
})

describe('describeStatus', () => {
  test.each([
    ['running', null, null, 'running'],
    ['completed', 0, null, 'completed'],
    ['failed', 7, null, 'failed: exit code 7'],
    ['failed', null, 'SIGSEGV', 'failed: killed by SIGSEGV'],
    ['killed', null, 'SIGKILL', 'killed'],
    ['timed_out', null, 'SIGKILL', 'timed out'],
    ['lost', null, null, 'lost'],
  ] as const)('%s, %p, %p: %s', (status, exitCode, signal, expected) => {
    expect(describeStatus({ status, exitCode, signal })).toBe(expected)
  })
})
