// A /proc that is too large, contradicts itself, or tells nothing.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RunClock } from '../../../../lib/terminals/explain/look/clock.js'
import { Descriptors } from '../../../../lib/terminals/explain/look/descriptors.js'
import { judge } from '../../../../lib/terminals/explain/look/judge.js'
import { Locks } from '../../../../lib/terminals/explain/look/locks.js'
import { OverBudget, Proc } from '../../../../lib/terminals/explain/look/proc.js'
import { FirstLook, processesBelow } from '../../../../lib/terminals/explain/look/processes.js'
import { Sockets } from '../../../../lib/terminals/explain/look/sockets.js'
import { epollSet } from '../../../../lib/terminals/explain/look/waited-sets.js'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'

afterEach(removeTempDirs)

/** A directory that is read as /proc is. */
const fakeProc = (files: Record<string, string>, links: Record<string, string> = {}): string => {
  const root = tempDir()
  const make = (path: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    return join(root, path)
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(make(path), text, 'latin1')
  for (const [path, target] of Object.entries(links)) symlinkSync(target, make(path))
  return root
}

const stat = (pid: number, { parent = 1, state = 'S', name = 'program' } = {}): string =>
  `${pid} (${name}) ${state} ${parent} 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 100 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 0 0 0`

/** What is told of one process in such a directory. */
const judged = (files: Record<string, string>, links: Record<string, string> = {}) => {
  const text = { '10/stat': stat(10), '10/task/10/stat': stat(10), ...files }
  const proc = new Proc({ root: fakeProc(text, links) })
  const first = new FirstLook()
  first.add(proc, 10)
  const descriptors = new Descriptors(proc, new Sockets(proc))
  const scene = { proc, descriptors, locks: new Locks(proc), clock: new RunClock(), pids: new Set([10]) }
  return judge(scene, first).map(({ kind, text }) => [
    kind,
    text.map((piece) => (typeof piece === 'string' ? piece : JSON.stringify(piece))).join(''),
  ])
}

test('reads no more than it may, and no longer', () => {
  const root = fakeProc({ file: 'x'.repeat(10_000) })

  expect(new Proc({ root }).text('file', 100)).toHaveLength(100)
  expect(() => {
    const proc = new Proc({ root, reads: 5 })
    for (let i = 0; i < 10; i++) proc.text('file')
  }).toThrow(OverBudget)
  expect(() => {
    const proc = new Proc({ root, deadline: 0 })
    for (let i = 0; i < 100; i++) proc.text('file')
  }).toThrow(OverBudget)
})

test('lists no more numbers than it may', () => {
  const files = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`fd/${i}`, '']))

  expect(
    new Proc({ root: fakeProc({ ...files, 'fd/name': '' }) }).numbers('fd', 20).length,
  ).toBeLessThanOrEqual(20)
  expect(new Proc({ root: '/nowhere' }).numbers('fd', 20)).toEqual([])
})

test('processes that are each other\u2019s children are counted once', () => {
  const proc = new Proc({
    root: fakeProc({
      'thread-self/children': '',
      '10/task/10/children': '11 10 ',
      '11/task/11/children': '10 11 12 ',
    }),
  })

  expect([...processesBelow(proc, 10).keys()]).toEqual([11, 12])
})

test('children are found without the kernel\u2019s list of them', () => {
  const proc = new Proc({
    root: fakeProc({
      '10/stat': stat(10),
      '11/stat': stat(11, { parent: 10 }),
      '12/stat': stat(12, { parent: 11 }),
    }),
  })

  expect([...processesBelow(proc, 10)].sort()).toEqual([
    [11, 10],
    [12, 11],
  ])
})

test('epolls that wait for each other are followed once', () => {
  const epoll = (...targets: number[]) =>
    targets.map((target) => `tfd:        ${target} events:       19 data: 0\n`).join('')
  const proc = new Proc({
    root: fakeProc(
      { '10/fdinfo/3': epoll(4, 7), '10/fdinfo/4': epoll(3, 5), '10/fdinfo/5': epoll(3, 4, 5, 8) },
      {
        '10/fd/3': 'anon_inode:[eventpoll]',
        '10/fd/4': 'anon_inode:[eventpoll]',
        '10/fd/5': 'anon_inode:[eventpoll]',
      },
    ),
  })

  expect(epollSet(proc, 10, 3)).toEqual({ inputs: [7, 8], outputs: [] })
})

test('of a process that nobody may look into it says so', () => {
  expect(judged({ '10/task/10/wchan': '0' })).toEqual([
    ['unknown', 'not known: it runs as another user, or lets nobody look'],
  ])
})

test('of a place that it does not know it says no more than that', () => {
  expect(judged({ '10/task/10/wchan': 'some_new_wait' }, { '10/cwd': '/' })).toEqual([
    ['unknown', 'not known'],
  ])
})

test.each([
  ['hrtimer_nanosleep', 'sleep', 'asleep'],
  ['futex_do_wait', 'thread', 'waiting for another of its threads (futex)'],
  ['do_wait', 'child', 'waiting for the end of a child'],
  ['ep_poll', 'events', 'waiting for events'],
  ['do_sys_poll', 'events', 'waiting for events'],
  ['wait_for_partner', 'input', 'opening a FIFO that nobody has open at its other end'],
  ['seccomp_do_user_notification', 'events', 'waiting for the sandbox to decide on a system call'],
])('where nobody may trace, %s is %s', (place, kind, text) => {
  expect(judged({ '10/task/10/wchan': place }, { '10/cwd': '/' })).toEqual([[kind, text]])
})

test('where nobody may trace, a pipe is named if it is the only one', () => {
  const files = {
    '10/task/10/wchan': 'anon_pipe_read',
    '10/fdinfo/0': 'flags:\t00\n',
    '10/fdinfo/5': 'flags:\t00\n',
  }
  const pipe = { '10/cwd': '/', '10/fd/0': 'pipe:[7]' }

  expect(judged(files, pipe)).toEqual([['input', 'waiting for input on a pipe (stdin)']])
  expect(judged(files, { ...pipe, '10/fd/5': 'pipe:[8]' })).toEqual([['unknown', 'not known']])
})

test('a process that a disk holds up is not asked for its system call', () => {
  const files = {
    '10/stat': stat(10, { state: 'D' }),
    '10/task/10/stat': stat(10, { state: 'D' }),
    '10/task/10/wchan': 'folio_wait_bit_common',
    '10/task/10/syscall': '35 0x1 0x1 0x0 0x0 0x0 0x0 0x7ffca251aea8 0x7ff48bca2bd3',
  }

  expect(judged(files)).toEqual([
    ['disk', 'waiting for a disk or another part of the system (folio_wait_bit_common)'],
  ])
})
