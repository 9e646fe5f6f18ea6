// What the portable engine executes, where a command has put programs of every name in front of PATH.

import { startTimeFromPs } from '../../../../lib/base/util/process-identity.js'
import { systemProgram } from '../../../../lib/base/util/system-programs.js'
import { fromPs } from '../../../../lib/processes/engine/portable/process-table.js'
import { packageRoot } from '../../../support/as-user.js'
import { whyNotTraced } from '../../../support/executed.js'
import { onHostileHost } from '../../../support/hostile-host.js'
import { cannotTest } from '../../../support/must-work.js'
import { plantPath } from '../../../support/planted-path.js'
import { removeTempDirs } from '../../../support/temp-dir.js'
import { binPath } from '../../../surfaces/cli/program.js'

const path = process.env.PATH
afterEach(() => {
  process.env.PATH = path
  removeTempDirs()
})

/** Of the helper, which makes pipes, and ends what a host has left. */
const allowed = ['/bin/sh', systemProgram('mkfifo'), systemProgram('sleep')]

test.each([
  [['run', 'read -r word; echo "$word"'], { stdout: 'done\n' }],
  [['run', '--profile', 'exec', 'read -r word; echo "$word"'], { stdout: 'done\n' }],
  [['run', '--timeout', '1', 'coproc read; wait'], { status: 124 }],
  [['run', '--mode', 'background', ':'], { status: 0 }],
])('bashward %s: nothing but bash, Node and the programs of the system', (words, expected) => {
  const reason = whyNotTraced()
  if (reason !== undefined) return cannotTest(reason)
  const host = onHostileHost([binPath, ...words], { input: 'done\n', engine: 'portable', allowed })

  expect(host).toMatchObject({ ...expected, marks: [], others: [] })
})

test('ps is that of the system', () => {
  const { directory, marks } = plantPath()
  process.env.PATH = `${directory}:${path}`

  expect(startTimeFromPs(process.pid)).toBeGreaterThan(0)
  expect(fromPs(process.pid)).toEqual(expect.any(Array))
  expect(marks()).toEqual([])
})

test('input while a command runs comes through a pipe that the bash of the system makes', () => {
  const reason = whyNotTraced()
  if (reason !== undefined) return cannotTest(reason)
  const code = `
    const { sandboxSession } = require('${packageRoot}/dist/adapters/ai.js')
    const start = async () => {
      const child = await sandboxSession('/').spawn({ command: 'read -r word; echo "$word"', stdin: true })
      const writer = child.stdin.getWriter()
      await writer.write(Buffer.from('done\\n'))
      await writer.close()
      const { value } = await child.stdout.getReader().read()
      await child.wait()
      process.stdout.write(value)
    }
    start()`
  const host = onHostileHost(['-e', code], { engine: 'portable', allowed })

  expect(host).toMatchObject({ stdout: 'done\n', marks: [], others: [] })
})
