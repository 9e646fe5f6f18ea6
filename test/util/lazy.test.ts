import { once } from '../../lib/util/lazy.js'

it('asks once, and when it is first called', () => {
  const load = jest.fn(() => undefined)
  const value = once(load)
  expect(load).not.toHaveBeenCalled()
  value()
  value()
  expect(load).toHaveBeenCalledTimes(1)
})

it('asks again after a failure', () => {
  let calls = 0
  const value = once(() => {
    calls += 1
    if (calls === 1) throw new Error('not yet')
    return calls
  })
  expect(value).toThrow('not yet')
  expect(value()).toBe(2)
})
