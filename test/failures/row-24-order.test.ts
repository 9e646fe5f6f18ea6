// Row 24: both streams are one real pipe: programs may reopen it, and the order is exact.
import { run } from '../../lib/index.js'

describe('row 24: merged streams', () => {
  test('`echo hi|tee /dev/stderr` works', async () => {
    const result = await run('echo hi|tee /dev/stderr', { cwd: '/' })

    expect(result).toMatchObject({ status: 'completed', exitCode: 0, output: 'hi\nhi\n' })
  })

  test.each(['/dev/stdout', '/dev/stderr', '/proc/self/fd/1', '/dev/fd/2'])(
    '%s can be opened',
    async (path) => {
      const result = await run(`echo hi >${path}`, { cwd: '/' })

      expect(result).toMatchObject({ status: 'completed', output: 'hi\n' })
    },
  )

  test('`echo o$i; echo e$i >&2` comes in the order in which it was written', async () => {
    const result = await run('for i in 1 2 3;do echo o$i;echo e$i>&2;done', { cwd: '/' })

    expect(result.output).toBe('o1\ne1\no2\ne2\no3\ne3\n')
  })

  test('the order holds over thousands of lines', async () => {
    const result = await run('for i in $(seq 3000); do echo o$i; echo e$i >&2; done', { cwd: '/' })

    expect(result.truncated).toBe(false)
    expect(result.output).toBe(Array.from({ length: 3000 }, (_, i) => `o${i + 1}\ne${i + 1}\n`).join(''))
  })
})
