import { judge } from './verdict.mjs'

const plain = {
  scenario: 'plain',
  role: 'engine',
  call: 'pipe2',
  kind: '-',
  detail: '',
  nth: 1,
  count: 1,
  errno: 'EMFILE',
}
const baseline = { status: 'failed', output: 'out', exitCode: 3 }
const held = { fds: 20, threads: 8, children: 0, orphans: 0 }

const kindOf = (result: object, fault: object = plain, expected: object = baseline) =>
  judge({ ...plain, ...fault }, { hits: 1, detail: '', ...result }, expected).kind

const thrown = (fields: object) => ({ outcome: { thrown: { name: 'BashError', ...fields } } })

test('the same result is correct', () => {
  expect(kindOf({ outcome: { value: baseline } })).toBe('correct')
})

test('an error that names step and errno is typed', () => {
  expect(kindOf(thrown({ code: 'ERR_SPAWN', message: 'pipe: EMFILE (too many open files)' }))).toBe('error')
})

test('an error of another errno is a defect', () => {
  expect(kindOf(thrown({ code: 'ERR_SPAWN', message: 'protocol: errno 0 (unknown error)' }))).toBe('defect')
})

test('an error that is not ours is a defect', () => {
  expect(kindOf(thrown({ name: 'TypeError', code: undefined, message: 'x' }))).toBe('defect')
})

test('a call that is interrupted has to be made again', () => {
  const error = thrown({ code: 'ERR_SPAWN', message: 'memfd_create: EINTR (interrupted system call)' })

  expect(kindOf(error, { errno: 'EINTR' })).toBe('defect')
  expect(kindOf({ outcome: { value: baseline } }, { errno: 'EINTR' })).toBe('correct')
})

test('another result is a defect', () => {
  expect(kindOf({ outcome: { value: { ...baseline, output: 'ou' } } })).toBe('defect')
})

test('a hang and the end of the host are defects', () => {
  expect(kindOf({ outcome: { hung: true } })).toBe('defect')
  expect(kindOf({ died: { signal: 'SIGSEGV' } })).toBe('defect')
})

test('what is left behind is a defect of a correct result, too', () => {
  const left = { before: held, after: { ...held, fds: 21 } }

  expect(kindOf({ outcome: { value: baseline }, left })).toBe('defect')
})

test('a next command that does not run is a defect', () => {
  expect(kindOf({ outcome: { value: baseline }, next: { hung: true } })).toBe('defect')
})

test('a result may lack what it says that it lacks', () => {
  const saved = { ...baseline, savedOutputBytes: 9, savedSize: 9 }
  const cut = { ...baseline, savedOutputError: 'write: ENOSPC', savedOutputBytes: 4, savedSize: 4 }

  expect(kindOf({ outcome: { value: cut } }, { scenario: 'saved' }, saved)).toBe('partial')
  expect(kindOf({ outcome: { value: { ...cut, savedSize: 5 } } }, { scenario: 'saved' }, saved)).toBe(
    'defect',
  )
})
