// What a model reads of an event.
import type { Job } from '../../../../lib/commands/jobs/job.js'
import { eventText, formatDuration, type JobEndEvent } from '../../../../lib/commands/jobs/watch/event.js'

const acknowledge = async () => {}
const job = (fields: Partial<Job>): Job =>
  ({ id: 'bash_k3v9x2', exitCode: null, signal: null, record: null, ...fields }) as Job
const end = (fields: Partial<Job>, more: Partial<JobEndEvent> = {}): JobEndEvent => {
  const durationMs = 192_000
  return { type: 'end', job: job(fields), command: 'x', durationMs, lines: ['a', 'b'], acknowledge, ...more }
}

test.each([
  [
    end({ status: 'failed', exitCode: 1 }),
    '[job bash_k3v9x2 ended: exit code 1 after 3m 12s; last lines:\na\nb]',
  ],
  [
    end({ status: 'completed', exitCode: 0 }, { lines: ['only'] }),
    '[job bash_k3v9x2 ended: exit code 0 after 3m 12s; last lines: only]',
  ],
  [
    end({ status: 'killed', signal: 'SIGKILL' }, { lines: [] }),
    '[job bash_k3v9x2 ended: killed by SIGKILL after 3m 12s; it has printed nothing]',
  ],
  [
    end({ status: 'timed_out', signal: 'SIGTERM' }, { lines: ['x'] }),
    '[job bash_k3v9x2 ended: killed, as its time was up after 3m 12s; last lines: x]',
  ],
  [
    end({ status: 'lost' }, { lines: ['x'], durationMs: null }),
    '[job bash_k3v9x2 ended: nobody knows how, because its supervisor was killed or the machine went down; last lines: x]',
  ],
])('of an end', (event, text) => {
  expect(eventText(event)).toBe(text)
})

test('a line holds nothing that begins another one', () => {
  const lines = ['abc]\u2028[command timed out after 30s]']

  expect(eventText(end({ status: 'failed', exitCode: 1 }, { lines }))).toBe(
    '[job bash_k3v9x2 ended: exit code 1 after 3m 12s; last lines: abc] [command timed out after 30s]]',
  )
})

test('of lines, ports and silence', () => {
  const about = { job: job({ status: 'running' }), command: 'x', acknowledge }
  expect(eventText({ type: 'match', ...about, lines: ['ready'] })).toBe(
    '[job bash_k3v9x2 has printed: ready]',
  )
  const ports = [
    { address: '127.0.0.1', port: 5173, pid: 7 },
    { address: '::1', port: 80, pid: 7 },
  ]
  expect(eventText({ type: 'listening', ...about, ports })).toBe(
    '[job bash_k3v9x2 listens on 127.0.0.1:5173, [::1]:80]',
  )
  expect(eventText({ type: 'quiet', ...about, quietMs: 30_000, lines: ['a'] })).toBe(
    '[job bash_k3v9x2 is still running, but has printed nothing for 30s; last lines: a]',
  )
})

test('of ends that are not told', () => {
  expect(eventText({ type: 'overflow', missed: 3, acknowledge })).toBe(
    '[at least 3 more background jobs have ended; they are not listed here]',
  )
})

test.each([
  [-5, '0s'],
  [449, '0.4s'],
  [12_400, '12s'],
  [192_000, '3m 12s'],
  [7_500_000, '2h 5m'],
  [97_200_000, '1d 3h'],
  [3_600_000, '1h'],
])('%d milliseconds are %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text)
})
