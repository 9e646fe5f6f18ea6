// An older Node is told what is needed, before anything fails with riddles.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { neededNode, nodeProblem } from '../lib/needs-node.js'
import { packageRoot } from './support/as-user.js'
import { removeTempDirs, tempDir } from './support/temp-dir.js'
import { binPath } from './surfaces/cli/program.js'

afterAll(removeTempDirs)

const { engines, exports: entries } = require('../package.json')

test('it is what package.json says', () => {
  expect(neededNode).toBe(engines.node)
})

test.each(['20.19.0', '20.20.2', '22.12.0', '22.23.3', '23.0.0', '24.0.0', '26.10.0', '100.0.0'])(
  '%s is enough',
  (node) => {
    expect(nodeProblem({ node })).toBeUndefined()
  },
)

test.each(['14.21.3', '18.20.4', '19.9.0', '20.18.3', '21.7.3', '22.11.0'])('%s is not', (node) => {
  expect(nodeProblem({ node })).toBe(`bashward needs Node ^20.19.0 || >=22.12.0, this is ${node}`)
})

test('which Node Bun and Deno name makes no difference', () => {
  expect(nodeProblem({ node: '18.15.0', bun: '1.0.0' })).toBeUndefined()
  expect(nodeProblem({ node: '18.15.0', deno: '1.40.0' })).toBeUndefined()
})

describe('on Node 18', () => {
  const problem = 'bashward needs Node ^20.19.0 || >=22.12.0, this is 18.20.4'
  /** As if the version were that. */
  const run = (...words: string[]) => {
    const file = join(tempDir(), 'older.cjs')
    const versions = `{ value: { ...process.versions, node: '18.20.4' } }`
    writeFileSync(file, `Object.defineProperty(process, 'versions', ${versions})`)
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', file, ...words], {
      cwd: packageRoot,
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }
  const paths = Object.values<string | { [condition: string]: { default: string } }>(entries)
    .flatMap((entry) => (typeof entry === 'string' ? [] : Object.values(entry)))
    .map((entry) => entry.default)

  test.each(paths)('%s says so', (path) => {
    const { status, stderr } = run('-e', `import(${JSON.stringify(join(packageRoot, path))})`)

    expect(status).toBe(1)
    expect(stderr).toContain(`Error: ${problem}\n`)
  })

  test.each([['doctor'], ['run', 'true'], ['--version']])('bashward %s says so', (...words) => {
    expect(run(binPath, ...words)).toEqual({ status: 125, stdout: '', stderr: `${problem}\n` })
  })
})
