// Two copies of the package in one process: two dependencies that each bring their own.
import type { BashResult } from '../../lib/commands/run/result.js'
import { copyPackage } from '../support/as-user.js'
import { killHosts, runHost } from '../support/host.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(killHosts)
afterEach(removeTempDirs)

test('two copies of the package work side by side, and know the errors of each other', async () => {
  const copy = tempDir()
  copyPackage(copy)
  const { distinct, first, second, recognised } = await runHost<{
    distinct: boolean
    first: BashResult[]
    second: BashResult[]
    recognised: boolean
  }>('two-copies', { argument: { copy } })

  expect(distinct).toBe(true)
  expect(recognised).toBe(true)
  for (const results of [first, second]) {
    expect(results.map(({ output, exitCode }) => [output, exitCode])).toEqual(
      Array.from({ length: 10 }, (_, i) => [`${i}\n`, i]),
    )
  }
})
