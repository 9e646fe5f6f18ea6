// The built program, once with each of its commands: other tests call them in their own process.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { bashward, killPrograms } from './program.js'

afterEach(killPrograms)
afterAll(removeTempDirs)

const rules = join(tempDir(), 'rules.json')
writeFileSync(rules, JSON.stringify({ rules: [{ prefix: ['npm', 'publish'], decision: 'deny' }] }))

const commands: [string[], number, RegExp][] = [
  [['run', 'echo hi; exit 3'], 3, /^hi\n$/],
  [['run', '--profile', 'suite', 'echo hi'], 0, /^hi\n$/],
  [['run', '--profile', 'exec', 'echo hi'], 0, /^hi\n$/],
  [['run', '--mode', 'background', 'true'], 0, /^<pid>/],
  [['check', 'git add -A'], 1, /^\[command rejected: git-add-blind\] /],
  [['check', '--policy', rules, 'npm publish'], 1, /^\[deny\] /],
  [['jobs'], 0, /^No background jobs\.\n$/],
  [['jobs', 'screen', '--help'], 0, /^Usage: bashward jobs/],
  [['mcp', '--help'], 0, /^Usage: bashward mcp/],
  [['worker', '--help'], 0, /^Usage: bashward worker/],
]

test.each(commands)('%j ends with %d', async (args, code, stdout) => {
  expect(await bashward(args)).toMatchObject({ code, stdout: expect.stringMatching(stdout) })
})

test('doctor reports', async () => {
  const { code, stdout } = await bashward(['doctor', '--json'])

  expect(code).toBe(JSON.parse(stdout).available ? 0 : 1)
})

test('none is missing here', async () => {
  const { code, stderr } = await bashward([])
  const names = /must be one of (.*)\n/.exec(stderr)?.[1]?.split(', ')

  expect(code).toBe(125)
  expect(names?.sort()).toEqual([...new Set([...commands.map(([[name]]) => name), 'doctor'])].sort())
})
