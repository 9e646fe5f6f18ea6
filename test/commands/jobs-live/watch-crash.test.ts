// Hosts and those who watch are killed at any moment: what a consumer is told stays right. For more jobs:
// node test/fixtures/watch-crash/main.mjs --jobs 10000
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

test('each end is acknowledged by each consumer: none is lost, none told again after that', () => {
  const program = join(__dirname, '../../fixtures/watch-crash/main.mjs')
  const args = [program, '--jobs', '200', '--seconds', '60']
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toMatchObject({ faults: [] })
}, 300_000)
