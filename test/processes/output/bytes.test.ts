import { humanizeBytes } from '../../../lib/processes/output/bytes.js'

describe('humanizeBytes', () => {
  it.each([
    [0, '0B'],
    [1023, '1023B'],
    [1024, '1.0KB'],
    [128 * 1024, '128.0KB'],
    [3 * 1024 ** 2, '3.0MB'],
    [2.5 * 1024 ** 3, '2.5GB'],
    [5000 * 1024 ** 3, '5000.0GB'],
  ])('writes %d as %s', (bytes, expected) => {
    expect(humanizeBytes(bytes)).toBe(expected)
  })

  it('takes the larger unit where rounding would give 1024 of the smaller', () => {
    expect(humanizeBytes(1024 ** 2 - 1)).toBe('1.0MB')
    expect(humanizeBytes(1024 ** 3 - 1)).toBe('1.0GB')
  })
})
