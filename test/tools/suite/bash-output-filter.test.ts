// The filter of BashOutput: REQ-SUITE-005.
import { endJobs } from '../../support/jobs.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { suiteCalls } from './suite-calls.js'

afterEach(endJobs)
afterAll(removeTempDirs)

describe('filter (REQ-SUITE-005)', () => {
  const numbers = async () => {
    const calls = suiteCalls()
    const id = await calls.start('seq 100; printf "\\e[31mred\\e[0m line\\n"')
    await calls.ended(id)
    return { ...calls, id }
  }

  test.each([
    ['matching lines only, in their order', '^[12]0$', '10\n20\n'],
    ['anywhere in the line', '9$', '9\n19\n29\n39\n49\n59\n69\n79\n89\n99\n'],
    ['the rendered line', '^red line$', 'red line\n'],
    ['ignoring case', '(?i)RED', 'red line\n'],
    ['nothing', 'no such line', ''],
  ])('%s', async (_, filter, expected) => {
    const { bashOutput, id } = await numbers()

    expect((await bashOutput({ bash_id: id, filter })).result.output).toBe(expected)
  })

  test.each([
    ['(', /missing closing \)/],
    ['a{2,1}', /^filter: /],
    ['(?=a)', /lookaround is not supported/],
    ['(a)\\1', /backreferences are not supported/],
    ['a'.repeat(1001), /at most 1000 characters/],
  ])('%j is a clear error', async (filter, expected) => {
    const { bashOutput, id } = await numbers()
    const { result, text } = await bashOutput({ bash_id: id, filter })

    expect(result).toMatchObject({ status: 'error', error: { code: 'ERR_INVALID_FILTER' } })
    expect(text).toMatch(expected)
  })

  test.each(['(a+)+$', '(a|a)*$', '(.*a){3}$'])('%s cannot hang the host', async (filter) => {
    const { start, ended, bashOutput } = suiteCalls()
    const id = await start("head -c 30000 /dev/zero | tr '\\0' a; echo b; echo aaa")
    await ended(id)
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 1)
    const startedAt = performance.now()
    const { result } = await bashOutput({ bash_id: id, filter })
    clearInterval(timer)

    expect(result.status).toBe('completed')
    expect(result.output).toMatch(/aaa\n$/)
    expect(performance.now() - startedAt).toBeLessThan(15_000)
    expect(turns).toBeGreaterThan(0)
  })

  test('goes with an offset', async () => {
    const { bashOutput, id } = await numbers()
    const { result } = await bashOutput({
      bash_id: id,
      filter: '0$',
      offset: Buffer.byteLength('1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n'),
    })

    expect(result.output).toBe('20\n30\n40\n50\n60\n70\n80\n90\n100\n')
  })
})
