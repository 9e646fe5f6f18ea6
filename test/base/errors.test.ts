import { constants } from 'node:os'
import { BashError, describeFailure, systemError } from '../../lib/base/errors.js'

describe('BashError', () => {
  test('is an Error with a name, a code and a message', () => {
    const error = new BashError('ERR_SPAWN', 'pipe: EMFILE')

    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: 'BashError', code: 'ERR_SPAWN', message: 'pipe: EMFILE' })
    expect(String(error)).toBe('BashError: pipe: EMFILE')
  })

  test('carries step, errno and path of a system error', () => {
    const failure = { step: 'chdir', errno: 2, path: '/nope' }

    expect(new BashError('ERR_WORKING_DIR', 'no', failure)).toMatchObject(failure)
  })

  test('has no step, errno and path otherwise', () => {
    const { step, errno, path } = new BashError('ERR_INVALID_INPUT', 'no')

    expect([step, errno, path]).toEqual([undefined, undefined, undefined])
  })

  test('carries a cause, and has none when none is given', () => {
    const cause = new Error('first')

    expect(new BashError('ERR_SPAWN', 'no', { cause }).cause).toBe(cause)
    expect('cause' in new BashError('ERR_SPAWN', 'no')).toBe(false)
  })
})

describe('BashError.isInstance', () => {
  test('knows an instance', () => {
    expect(BashError.isInstance(new BashError('ERR_SPAWN', 'no'))).toBe(true)
  })

  test('knows an instance of another copy of the class', () => {
    jest.isolateModules(() => {
      const copy = require('../../lib/base/errors.js') as typeof import('../../lib/base/errors.js')
      const foreign = new copy.BashError('ERR_SPAWN', 'no')

      expect(foreign).not.toBeInstanceOf(BashError)
      expect(BashError.isInstance(foreign)).toBe(true)
    })
  })

  test('knows an instance of a subclass', () => {
    class Special extends BashError {}

    expect(BashError.isInstance(new Special('ERR_SPAWN', 'no'))).toBe(true)
  })

  test.each([
    ['undefined', undefined],
    ['null', null],
    ['a string', 'ERR_SPAWN'],
    ['another error', new Error('ERR_SPAWN')],
    ['an object of the same fields', { ...new BashError('ERR_SPAWN', 'no') }],
    ['the class itself', BashError],
  ])('does not know %s', (_, value) => {
    expect(BashError.isInstance(value)).toBe(false)
  })
})

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
