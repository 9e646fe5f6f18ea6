// examples/workspace-agent.mjs: what its commands can do and what is refused, and that nothing stays behind.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { probeSandbox } from '../../lib/index.js'
import { cannotTest } from '../support/must-work.js'
import { removeTempDirs } from '../support/temp-dir.js'
import { killPrograms } from '../surfaces/cli/program.js'
import { startExample, testExample } from './example.js'

afterEach(killPrograms)
afterAll(removeTempDirs)

testExample('installs, builds and tests, and reaches nothing else', async (options) => {
  const { available, reason } = (await probeSandbox()).workspace
  if (!available) return cannotTest(reason ?? 'there is no Workspace mode')
  if (spawnSync('npm', ['--version'], { stdio: 'ignore' }).status !== 0) return cannotTest('npm is missing')
  const { code, stdout, stderr } = await startExample('workspace-agent.mjs', options).exited()

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^\$ npm install .*\n\n?added 1 package/m)
  expect(stdout).toMatch(/^\$ npm run build && npm test\n[^$]*^(?:#|ℹ) pass 1$/m)
  expect(stdout).toMatch(
    /^\[sandbox: only 127\.0\.0\.2:\d+ can be reached, by the proxy in \$HTTPS_PROXY; refused: network elsewhere\.example:80\]$/m,
  )
  expect(stdout).toContain(
    '(network elsewhere.example:80 would take {"network":{"domains":["elsewhere.example"]}})',
  )
  expect(stdout.trimEnd().endsWith('Done. What I wanted from elsewhere.example was refused.')).toBe(true)
  // Of its home only what package managers keep may be left.
  expect(readdirSync(options.directory).filter((name) => name !== '.local')).toEqual([])
})
