import { constants } from 'node:os'
import { describeFailure, systemError } from '../../lib/util/system-error.js'

describe('describeFailure', () => {
  test('names the step, the path, the error and what it means', () => {
    expect(describeFailure({ step: 'chdir', errno: constants.errno.ENOENT, path: '/nope' })).toBe(
      'chdir /nope: ENOENT (no such file or directory)',
    )
  })

  test('has no path where there is none', () => {
    expect(describeFailure({ step: 'pipe', errno: constants.errno.EMFILE })).toBe(
      'pipe: EMFILE (too many open files)',
    )
  })

  test('names an error that Node has no text for', () => {
    expect(describeFailure({ step: 'execve', errno: constants.errno.ENOEXEC, path: '/x' })).toContain(
      'ENOEXEC',
    )
  })

  test('shows the number of an error that has no name', () => {
    expect(describeFailure({ step: 'clone', errno: 9999 })).toBe('clone: errno 9999 (unknown error)')
  })
})

describe('systemError', () => {
  test('gives a BashError with the failure, its description and its cause', () => {
    const cause = new Error('first')
    const failure = { step: 'clone', errno: constants.errno.EAGAIN }

    expect(systemError('ERR_SPAWN', failure, cause)).toMatchObject({
      name: 'BashError',
      code: 'ERR_SPAWN',
      message: 'clone: EAGAIN (resource temporarily unavailable)',
      ...failure,
      cause,
    })
  })
})
