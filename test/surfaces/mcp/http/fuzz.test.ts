// A part of `npm run fuzz:mcp`.
import { join } from 'node:path'
import { packageRoot } from '../../../support/as-user.js'
import { killPrograms, startProgram } from '../../cli/program.js'

afterEach(killPrograms)

test('broken requests run nothing, and the server goes on', async () => {
  const program = join(packageRoot, 'test/surfaces/mcp/http/fuzz/main.mjs')
  const { code, stdout, stderr } = await startProgram(process.execPath, [
    program,
    '--seconds',
    '4',
    '--seed',
    '1',
  ]).exited()

  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^seed 1, 4 s\n\{"sent":\d+/)
})
