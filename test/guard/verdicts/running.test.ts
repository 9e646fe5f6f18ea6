// What is allowed is run, and must change nothing: a part of what `npm run test:verdicts` does.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { casesInTurn } from '../../support/in-turns.js'
import { cannotTest } from '../../support/must-work.js'

const seconds = '4'

test.each(['corpus', 'placeholders', ...casesInTurn(['shell', 'awk', 'sed', 'format'], 0, 2)])(
  'nothing changes: %s',
  (part) => {
    if (spawnSync('strace', ['-V']).error !== undefined) return cannotTest('there is no strace')
    const main = join(__dirname, 'main.mjs')
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [main, '--only', part, '--seconds', seconds],
      {
        encoding: 'utf8',
        timeout: 300_000,
      },
    )

    if (status === 77) return cannotTest(stdout)
    expect(stdout + stderr).toContain(' 0 have changed something')
    expect(status).toBe(0)
  },
  310_000,
)
