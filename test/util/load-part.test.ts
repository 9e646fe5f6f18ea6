import { constants } from 'node:os'
import { BashError } from '../../lib/errors.js'
import { part } from '../../lib/util/load-part.js'

const thrownBy = (load: () => unknown): unknown => {
  try {
    return part(load)()
  } catch (error) {
    return error
  }
}

it('gives what was loaded, and loads it once', () => {
  const load = jest.fn(() => ({ name: 'part' }))
  const get = part(load)

  expect(get()).toBe(get())
  expect(load).toHaveBeenCalledTimes(1)
})

it('names the file that could not be opened, with errno, and keeps the cause', () => {
  const cause = Object.assign(new Error('EMFILE: too many open files'), {
    syscall: 'open',
    errno: -constants.errno.EMFILE,
    path: '/package/dist/part.js',
  })
  const error = thrownBy(() => {
    throw cause
  })

  expect(error).toBeInstanceOf(BashError)
  expect(error).toMatchObject({
    code: 'ERR_SPAWN',
    step: 'open',
    errno: constants.errno.EMFILE,
    path: '/package/dist/part.js',
    message: 'open /package/dist/part.js: EMFILE (too many open files)',
    cause,
  })
})

it('says why another part cannot be loaded', () => {
  const error = thrownBy(() => {
    throw new Error("Cannot find module './part.js'")
  })

  expect(error).toMatchObject({
    code: 'ERR_INTERNAL',
    message: "a part of bashward cannot be loaded: Cannot find module './part.js'",
  })
})
