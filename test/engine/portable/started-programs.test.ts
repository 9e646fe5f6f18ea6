// What the portable engine executes, where a command has put programs of every name in front of PATH.
import { spawnSync } from 'node:child_process'
import { fromPs } from '../../../lib/engine/portable/process-table.js'
import { startTimeFromPs } from '../../../lib/jobs/identity.js'
import { systemProgram } from '../../../lib/util/system-programs.js'
import { binPath } from '../../cli/program.js'
import { packageRoot } from '../../support/as-user.js'
import { whyNotTraced } from '../../support/executed.js'
import { onHostileHost } from '../../support/hostile-host.js'
import { cannotTest } from '../../support/must-work.js'
import { plantPath } from '../../support/planted-path.js'
import { removeTempDirs } from '../../support/temp-dir.js'

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

test('input while a command runs is refused by name', () => {
  const code = `
    const { sandboxSession } = require('./dist/adapters/ai.js')
    sandboxSession('/').spawn({ command: 'cat', stdin: true }).catch(({ code, message }) => console.log(code, message))`
  const { stdout } = spawnSync(process.execPath, ['-e', code], {
    cwd: packageRoot,
    env: { ...process.env, BASHWARD_ENGINE: 'portable' },
    encoding: 'utf8',
  })

  expect(stdout).toBe(
    'ERR_UNSUPPORTED_PLATFORM the portable engine runs here, and cannot give a command input while it runs: ' +
      'that needs the native engine\n',
  )
})
