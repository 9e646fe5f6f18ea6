import { once, randomHex } from '../../../lib/base/util/lazy.js'

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

it('gives another random text each time, also when it takes new bytes', () => {
  const texts = Array.from({ length: 200 }, () => randomHex(8))
  expect(texts.filter((text) => !/^[0-9a-f]{16}$/.test(text))).toEqual([])
  expect(new Set(texts).size).toBe(200)
  expect(randomHex(1000)).toMatch(/^[0-9a-f]{2000}$/)
})
