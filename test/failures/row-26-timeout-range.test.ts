// Row 26: a timeout in the wrong unit is refused, with the range that is allowed.
import { run } from '../../lib/index.js'

describe('row 26: a timeout out of range', () => {
  test('90,000,000 ms is refused, and the error names field, received and allowed', async () => {
    const error = await run('true', { cwd: '/', timeout: 90_000_000 }).catch((reason: unknown) => reason)

    expect(error).toMatchObject({ name: 'BashError', code: 'ERR_INVALID_INPUT' })
    for (const part of ['timeout', '90000000', '86400000']) {
      expect((error as Error).message).toContain(part)
    }
  })

  test.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('%d is refused', async (timeout) => {
    await expect(run('true', { cwd: '/', timeout })).rejects.toMatchObject({
      code: 'ERR_INVALID_INPUT',
      message: expect.stringContaining('timeout'),
    })
  })

  test('text is refused', async () => {
    const timeout = '1000' as unknown as number
    await expect(run('true', { cwd: '/', timeout })).rejects.toMatchObject({ code: 'ERR_INVALID_INPUT' })
  })

  test('the ends of the range are allowed', async () => {
    expect(await run('true', { cwd: '/', timeout: 86_400_000 })).toMatchObject({ status: 'completed' })
    expect(await run('sleep 30', { cwd: '/', timeout: 1 })).toMatchObject({ status: 'timed_out' })
  })
})
