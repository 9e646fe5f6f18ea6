// What programs that run commands exit with.
import { exitStatusOf, signalStatus } from '../../../lib/commands/run/exit-status.js'
import { blankResult } from '../../../lib/commands/run/result.js'

describe('exitStatusOf', () => {
  test.each([
    ['rejected', 126],
    ['cancelled', 130],
    ['background', 0],
    ['invalid', 125],
    ['error', 125],
  ] as const)('%s is %d', (status, expected) => {
    expect(exitStatusOf(blankResult('true', status))).toBe(expected)
  })
})

describe('signalStatus', () => {
  test.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGPIPE', 141],
    ['SIGTERM', 143],
  ])('%s is %d', (signal, expected) => {
    expect(signalStatus(signal)).toBe(expected)
  })
})
