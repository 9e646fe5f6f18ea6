// docs/demo.svg shows what examples/demo.mjs prints today.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { cannotTest } from '../support/must-work.js'
import { whyNotRestricted } from '../support/restricted.js'

const script = join(packageRoot, 'scripts/demo-picture.mjs')

test('the picture is current; node scripts/demo-picture.mjs draws it anew', async () => {
  const obstacle = await whyNotRestricted()
  if (obstacle !== undefined) return cannotTest(obstacle)
  const drawn = execFileSync(process.execPath, [script, '--print'], { encoding: 'utf8' })

  expect(drawn.split('\n')).toEqual(readFileSync(join(packageRoot, 'docs/demo.svg'), 'utf8').split('\n'))
})
