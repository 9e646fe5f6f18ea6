// Hosts and supervisors are killed at any moment: no call runs twice, and each answer is true. For more of them:
// node test/fixtures/call-crash/main.mjs --kills 1000
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

test('no command runs twice, none is reported as run that has not, or as not started that has', () => {
  const program = join(__dirname, '../../fixtures/call-crash/main.mjs')
  const { stdout, stderr } = spawnSync(process.execPath, [program, '--kills', '20'], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toMatchObject({ faults: [] })
}, 300_000)
