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
  const current = readFileSync(join(packageRoot, 'docs/demo.svg'), 'utf8')
  const draw = () => execFileSync(process.execPath, [script, '--print'], { encoding: 'utf8' })
  let drawn = draw()
  // The demo's timeout is a real one: on a busy machine bash may have printed nothing within that second.
  for (let tries = 1; drawn !== current && tries < 5; tries++) drawn = draw()

  expect(drawn.split('\n')).toEqual(current.split('\n'))
})
