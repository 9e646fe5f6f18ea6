import { BashError } from '../lib/errors.js'

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
      const copy = require('../lib/errors.js') as typeof import('../lib/errors.js')
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
