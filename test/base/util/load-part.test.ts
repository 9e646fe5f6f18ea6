import { constants } from 'node:os'
import { BashError } from '../../../lib/base/errors.js'
import { optionalPart, part } from '../../../lib/base/util/load-part.js'

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

describe('loadAllParts', () => {
  type LoadPart = typeof import('../../../lib/base/util/load-part.js')
  let module: LoadPart

  // What is sealed stays sealed.
  beforeEach(() => {
    jest.isolateModules(() => {
      module = require('../../../lib/base/util/load-part.js') as LoadPart
    })
  })

  it('loads every part, once', () => {
    const loads = [jest.fn(() => 1), jest.fn(() => 2)] as const
    const gets = [module.part(loads[0]), module.optionalPart(loads[1])]
    module.loadAllParts()

    expect(gets.map((get) => get())).toEqual([1, 2])
    for (const load of loads) expect(load).toHaveBeenCalledTimes(1)
  })

  it('loads the parts of parts', () => {
    const inner = jest.fn(() => 'inner')
    module.part(() => module.part(inner))
    module.loadAllParts()

    expect(inner).toHaveBeenCalledTimes(1)
  })

  it('never loads what it could not load', () => {
    const load = jest.fn(() => {
      throw new Error('no ES modules')
    })
    const get = module.optionalPart(load)
    module.loadAllParts()

    expect(get).toThrow('a part of bashward is no longer loaded')
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('says why a part cannot be loaded, and may then be called again', () => {
    const load = jest.fn(() => 'part')
    load.mockImplementationOnce(() => {
      throw new Error('too many open files')
    })
    const get = module.part(load)

    expect(() => module.loadAllParts()).toThrow('too many open files')
    module.loadAllParts()
    expect(get()).toBe('part')
  })
})

it('gives the error of an optional part as it is', () => {
  const cause = new Error('no ES modules')
  const get = optionalPart(() => {
    throw cause
  })
  expect(get).toThrow(cause)
})
