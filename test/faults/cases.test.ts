import { casesOf } from './cases.mjs'

const call = (role: string, name: string, detail = '', kind = '-') => ({ role, call: name, kind, detail })
const none = { cold: false }

test('each error of a call is a case', () => {
  const { cases, unknown } = casesOf('plain', [call('engine', 'pipe2')], none)

  expect(cases.map(({ errno, count }) => `${errno} ${count}`)).toEqual([
    'EMFILE 1',
    'ENFILE 1',
    'ENOMEM 1',
    'EMFILE 1000000',
  ])
  expect(unknown).toEqual([])
})

test('of a loop the first, the second and the last turn are cases', () => {
  const turns = Array.from({ length: 9 }, () => call('supervisor', 'wait4'))

  expect(casesOf('plain', turns, none).cases.map(({ nth }) => nth)).toEqual([1, 2, 9])
})

test('calls are counted by process and name, whatever they are about', () => {
  const calls = [call('shell', 'openat', '/dev/null'), call('shell', 'openat', '/job.json.tmp')]

  const { cases } = casesOf('background', calls, none)

  expect(new Set(cases.map(({ detail, nth }) => `${detail} ${nth}`))).toEqual(
    new Set(['/dev/null 1', 'job.json.tmp 2']),
  )
})

test('calls of another kind are not counted', () => {
  const calls = [call('engine', 'epoll_ctl', '3', '3'), call('engine', 'epoll_ctl', '1', '1')]

  const { cases } = casesOf('plain', calls, none)

  expect(new Set(cases.map(({ kind, nth }) => `${kind} ${nth}`))).toEqual(new Set(['1 1']))
})

test("calls of Node's own threads and of commands are left alone", () => {
  const calls = [call('main', 'read'), call('pool', 'openat', '/x'), call('command', 'write')]

  expect(casesOf('plain', calls, none)).toMatchObject({ cases: [], exempt: [], unknown: [] })
})

test('a call that is not listed is said to be unknown', () => {
  expect(casesOf('plain', [call('engine', 'shmget')], none).unknown).toEqual([call('engine', 'shmget')])
})

test('a call that cannot fail has its reason', () => {
  expect(casesOf('plain', [call('supervisor', 'getpid')], none).exempt).toMatchObject([
    { call: 'getpid', reason: expect.stringContaining('cannot fail') },
  ])
})

test('starting is not tried again for commands that start alike', () => {
  const calls = [call('engine', 'pipe2'), call('engine', 'splice')]
  const tried = new Set(casesOf('plain', calls, none).sites)

  const { cases } = casesOf('flood', calls, { cold: false, tried })

  expect(new Set(cases.map((fault) => fault.call))).toEqual(new Set(['splice']))
})

test('signals come at each call of the supervisor, also at those that cannot fail', () => {
  const calls = [call('engine', 'pipe2'), call('supervisor', 'getpid')]

  const { cases } = casesOf('plain', calls, { cold: false, signals: ['SIGKILL'] })

  expect(cases.filter(({ errno }) => errno === 'SIGKILL')).toMatchObject([
    { role: 'supervisor', call: 'getpid' },
  ])
})
