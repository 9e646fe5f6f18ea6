// The first thing that a newcomer copies has to work, and print what the README says.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './support/as-user.js'

const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8')
const block = (language: string) => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(readme)?.[1] ?? ''

test('the six lines of the README print what it says', () => {
  const script = block('js')
  expect(script.trim().split('\n')).toHaveLength(6)

  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: packageRoot,
    encoding: 'utf8',
  })
  const survivor = /\bkill (\d+)\]/.exec(stdout)?.[1] ?? ''
  const job = /\bbash_\w+/.exec(stdout)?.[0] ?? ''
  // Never 0, which would be the tests' own process group.
  if (Number(survivor) > 1) process.kill(Number(survivor), 'SIGKILL')
  expect(stderr).toBe('')
  expect(stdout.replaceAll(survivor, '4711').trimEnd()).toBe(block('text').trimEnd())
})
